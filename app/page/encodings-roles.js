/**
 * Finds what an auxiliary variable means, by trying: “true as soon as 2 of x1 to x4 are true”.
 *
 * For each auxiliary, all assignments of the inputs that it is made from are put into the clauses that define
 * auxiliaries, and unit propagation says whether it is forced. If only the number of true inputs matters, that is its
 * meaning. Clauses that enforce the bound are left out: they restrict the inputs, they define nothing.
 *
 * Auxiliaries that depend on more than {@link MOST_INPUTS} inputs, or on more than their number, are described by what
 * they are made from.
 */

/** The most inputs that are tried: twice as long for each more. */
const MOST_INPUTS = 8;

/** The inputs that an auxiliary depends on, by way of others. */
function cone(variable, sources, inputs, known) {
  if (known.has(variable)) return known.get(variable);
  known.set(variable, new Set());
  const all = new Set();
  for (const source of sources.get(variable) ?? []) {
    if (inputs.has(source)) all.add(source);
    else for (const input of cone(source, sources, inputs, known)) all.add(input);
  }
  known.set(variable, all);
  return all;
}

/** The values that follow from `values` by unit propagation; `null` after a contradiction. */
function propagate(clauses, values) {
  for (let changed = true; changed;) {
    changed = false;
    for (const clause of clauses) {
      let open = 0;
      let unit = 0;
      let satisfied = false;
      for (const literal of clause) {
        const value = values.get(Math.abs(literal));
        if (value === undefined) {
          open += 1;
          unit = literal;
        } else if (value === literal > 0) {
          satisfied = true;
          break;
        }
      }
      if (satisfied || open > 1) continue;
      if (open === 0) return null;
      values.set(Math.abs(unit), unit > 0);
      changed = true;
    }
  }
  return values;
}

/**
 * What is forced for each number of true inputs, for each of some auxiliaries: true, false, undefined; `null` for an
 * auxiliary for which the number does not decide.
 */
function byCount(variables, inputs, clauses) {
  const forced = new Map(variables.map((variable) => [variable, new Array(inputs.length + 1).fill('new')]));
  for (let choice = 0; choice < 2 ** inputs.length; choice += 1) {
    const start = new Map(inputs.map((input, at) => [input, Boolean((choice >> at) & 1)]));
    const count = inputs.filter((input) => start.get(input)).length;
    const values = propagate(clauses, start);
    for (const [variable, counts] of forced) {
      const value = values?.get(variable);
      if (counts?.[count] === 'new') counts[count] = value;
      else if (counts && counts[count] !== value) forced.set(variable, null);
    }
  }
  return forced;
}

/** Names, with runs of inputs shortened: “x1 to x4 and x7”. */
function listed(numbers, names) {
  const parts = [];
  for (let at = 0; at < numbers.length;) {
    let end = at;
    while (numbers[end + 1] === numbers[end] + 1 && names.get(numbers[end + 1]).input) end += 1;
    if (end - at >= 2 && names.get(numbers[at]).input) {
      parts.push(`${names.get(numbers[at]).name} to ${names.get(numbers[end]).name}`);
      at = end + 1;
    } else {
      parts.push(names.get(numbers[at]).name);
      at += 1;
    }
  }
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

/** The meaning in words, or `null` if the numbers do not show one. */
function words(forced, inputs, names) {
  const of = inputs.length === 1 ? listed(inputs, names) : `of ${listed(inputs, names)}`;
  const many = (count) => (inputs.length === 1 ? of : `${count} ${of}`);
  const verb = (count) => (count === 1 || inputs.length === 1 ? 'is' : 'are');
  const from = (count, value) => forced.slice(count).every((one) => one === value);
  const upTo = (count, value) => forced.slice(0, count + 1).every((one) => one === value);
  for (let count = 1; count < forced.length; count += 1) {
    const least = `at least ${many(count)} ${verb(count)} true`;
    const most = count === 1 ? `none ${of} is true` : `at most ${many(count - 1)} ${verb(count - 1)} true`;
    if (from(count, true) && upTo(count - 1, false)) return `true exactly if ${least}`;
    if (from(count, true) && upTo(count - 1, undefined)) return `true as soon as ${many(count)} ${verb(count)} true`;
    if (from(count, undefined) && upTo(count - 1, false)) return `true only if ${least}`;
    if (from(count, false) && upTo(count - 1, true)) return `true exactly if ${most}`;
    if (from(count, undefined) && upTo(count - 1, true)) return `true as long as ${most}`;
    if (from(count, false) && upTo(count - 1, undefined)) return `true only if ${most}`;
  }
  const counts = forced.flatMap((value, count) => (value ? [count] : []));
  if (forced.includes(undefined) || !counts.length) return null;
  return `true exactly if ${counts.join(' or ')} ${of} ${verb(counts.at(-1))} true`;
}

/**
 * Describes all auxiliaries.
 * @param {{inputs: number[], sources: Map<number, Set<number>>, definitions: number[][]}} wired from `wiring`
 * @param {Map<number, {name: string, input: boolean}>} names
 * @returns {Map<number, string>} sentences by variable
 */
export function rolesOf(wired, names) {
  const inputs = new Set(wired.inputs);
  const known = new Map();
  const roles = new Map();
  const alike = new Map();
  for (const [variable, sources] of wired.sources) {
    roles.set(variable, `made from ${listed([...sources].sort((a, b) => a - b), names)}`);
    const from = [...cone(variable, wired.sources, inputs, known)].sort((a, b) => a - b);
    if (!from.length || from.length > MOST_INPUTS) continue;
    const key = from.join();
    if (!alike.has(key)) alike.set(key, { from, variables: [] });
    alike.get(key).variables.push(variable);
  }
  for (const { from, variables } of alike.values()) {
    const here = new Set(from);
    for (const [variable, its] of known) if (its.size && [...its].every((input) => here.has(input))) here.add(variable);
    const clauses = wired.definitions.filter((clause) => clause.every((literal) => here.has(Math.abs(literal))));
    for (const [variable, forced] of byCount(variables, from, clauses)) {
      const meaning = forced && words(forced, from, names);
      if (meaning) roles.set(variable, meaning);
    }
  }
  return roles;
}
