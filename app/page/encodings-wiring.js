/**
 * Finds the wiring of an encoding in its clauses: which auxiliary is made from which variables.
 *
 * No encoding is known by name here, so the picture shows what the clauses say, not what a textbook says. A clause
 * defines the auxiliary in it that was made last, its output, if some choice of that auxiliary satisfies it together
 * with the clauses before that define the same one, whatever the other variables are: any two of them with the output
 * in both signs have another variable in both signs (they are *blocked* on the output; M. Järvisalo, A. Biere,
 * M. Heule, *Blocked clause elimination*, TACAS 2010). What is left restricts the inputs and is the bound itself, but
 * for one case: of *at most*, “if x1 and a9, then a7” makes a7 true, though a7 was made before a9 because others
 * share it; and *at least* has the mirror image of that.
 *
 * Auxiliaries of the same depth that share a source are one unit: a node of a totalizer, a comparator, a column of a
 * counter.
 */

/** The clauses that define each auxiliary, found one clause after the other. */
class Definitions {
  #of = new Map();

  /** Takes the clause as one that defines its variable `output`, if it is blocked on it. */
  take(clause, output) {
    const before = this.#before(output);
    const sign = clause.includes(output);
    const blocked = before.every((other) => other.includes(output) === sign
      || other.some((literal) => Math.abs(literal) !== output && clause.includes(-literal)));
    if (blocked) before.push(clause);
    return blocked;
  }

  /** Takes the clause as one that defines its variable `output`, whatever the others are. */
  force(clause, output) {
    this.#before(output).push(clause);
    return output;
  }

  #before(output) {
    if (!this.#of.has(output)) this.#of.set(output, []);
    return this.#of.get(output);
  }
}

/** The variable that a clause defines, or `null` for a clause that enforces. */
function defined(clause, relation, inputs, definitions) {
  const made = clause.filter((literal) => !inputs.has(Math.abs(literal)));
  if (!made.length) return null;
  const last = Math.max(...made.map(Math.abs));
  if (definitions.take(clause, last)) return last;
  const sign = { at_most: 1, at_least: -1 }[relation];
  const outputs = clause.filter((literal) => literal * sign > 0);
  const one = clause.length > 1 && outputs.length === 1 && made.includes(outputs[0]);
  return one ? definitions.force(clause, Math.abs(outputs[0])) : null;
}

/**
 * The wiring.
 * @param {{variables: {number: number, role: string}[], clauses: number[][]}} answer
 * @param {string} relation `at_most`, `at_least` or `exactly`
 * @returns {{inputs: number[], units: {depth: number, outputs: number[], sources: number[]}[], bounds: number[][],
 *   definitions: number[][], sources: Map<number, Set<number>>}} `bounds` and `definitions` are all clauses
 */
export function wiring(answer, relation) {
  const inputs = new Set(answer.variables.filter((one) => /^x\d+$/.test(one.role)).map((one) => one.number));
  const sources = new Map(answer.variables.filter((one) => !inputs.has(one.number))
    .map((one) => [one.number, new Set()]));
  const bounds = [];
  const definitions = [];
  const taken = new Definitions();
  for (const clause of answer.clauses) {
    const output = defined(clause, relation, inputs, taken);
    if (output === null) {
      bounds.push(clause);
      continue;
    }
    definitions.push(clause);
    for (const literal of clause) if (Math.abs(literal) !== output) sources.get(output).add(Math.abs(literal));
  }
  const depth = depths(sources);
  return { inputs: [...inputs], units: together(sources, depth), bounds, definitions, sources };
}

/** How many auxiliaries stand one after the other before each; a circle is cut where it is met again. */
function depths(sources) {
  const depth = new Map();
  const open = new Set();
  const of = (variable) => {
    if (!sources.has(variable) || open.has(variable)) return 0;
    if (depth.has(variable)) return depth.get(variable);
    open.add(variable);
    let deepest = 0;
    for (const source of sources.get(variable)) deepest = Math.max(deepest, of(source));
    open.delete(variable);
    depth.set(variable, deepest + 1);
    return deepest + 1;
  };
  for (const variable of sources.keys()) of(variable);
  return depth;
}

/** Auxiliaries of one depth that share a source, joined into units. */
function together(sources, depth) {
  const parts = [...new Set(depth.values())]
    .flatMap((level) => joined([...sources.keys()].filter((one) => depth.get(one) === level), sources))
    .flatMap((outputs) => apart(outputs, sources));
  return parts.map((outputs) => ({
    depth: depth.get(outputs[0]), outputs,
    sources: [...new Set(outputs.flatMap((output) => [...sources.get(output)]))].sort((a, b) => a - b),
  })).sort((a, b) => a.depth - b.depth || a.outputs[0] - b.outputs[0]);
}

/** The outputs, split into the classes that are connected by common sources. */
function joined(outputs, sources) {
  const leader = new Map(outputs.map((output) => [output, output]));
  const find = (output) => {
    let at = output;
    while (leader.get(at) !== at) at = leader.get(at);
    return at;
  };
  const first = new Map();
  for (const output of outputs) {
    for (const source of sources.get(output)) {
      if (first.has(source)) leader.set(find(output), find(first.get(source)));
      else first.set(source, output);
    }
  }
  const classes = new Map();
  for (const output of outputs) {
    const key = find(output);
    if (!classes.has(key)) classes.set(key, []);
    classes.get(key).push(output);
  }
  return [...classes.values()];
}

/**
 * One class, or several if a single output holds it together: an overflow that all nodes of a totalizer share is a unit
 * of its own.
 */
function apart(outputs, sources) {
  if (outputs.length < 3 || outputs.length > 40) return [outputs];
  for (const one of outputs) {
    const others = joined(outputs.filter((output) => output !== one), sources);
    if (others.length > 1) return [[one], ...others];
  }
  return [outputs];
}

/**
 * Places for all variables: a column for each depth, inputs one column before their first use.
 * @returns {{places: Map<number, {x: number, y: number}>, boxes: {x: number, y: number, height: number}[],
 *   width: number, height: number}} in units of pixels; the box of a unit has its index
 */
export function layout(wired, row = 26, column = 118) {
  const places = new Map();
  const first = new Map(wired.inputs.map((input) => [input, 0]));
  for (const unit of [...wired.units].reverse()) {
    for (const source of unit.sources) if (first.has(source)) first.set(source, unit.depth - 1);
  }
  const deepest = Math.max(0, ...wired.units.map((unit) => unit.depth));
  const boxes = [];
  let height = 0;
  for (let depth = 0; depth <= deepest; depth += 1) {
    const items = [];
    wired.inputs.forEach((input, at) => {
      if (first.get(input) === depth) items.push({ wish: at * row, tall: row, input });
    });
    wired.units.forEach((unit, index) => {
      if (unit.depth !== depth) return;
      const tall = unit.outputs.length * row + 14;
      const known = unit.sources.filter((source) => places.has(source)).map((source) => places.get(source).y);
      const middle = known.length ? known.reduce((a, b) => a + b, 0) / known.length : 0;
      items.push({ wish: Math.max(0, middle - tall / 2), tall, unit, index });
    });
    items.sort((a, b) => a.wish - b.wish);
    let free = 0;
    for (const item of items) {
      const top = Math.max(item.wish, free);
      free = top + item.tall + (item.unit ? 12 : 0);
      const x = depth * column + 34;
      if (item.unit) {
        boxes[item.index] = { x: x - 25, y: top, height: item.tall - 2 };
        item.unit.outputs.forEach((output, at) => places.set(output, { x, y: top + 7 + (at + 0.5) * row - 1 }));
      } else {
        places.set(item.input, { x, y: top + row / 2 });
      }
      height = Math.max(height, free);
    }
  }
  return { places, boxes, width: deepest * column + 98, height: height + 6 };
}
