/**
 * The rule and the choice of encodings: “At most 2 of 8 literals are true”, or “At most 12 as the weighted sum of 8
 * literals”, and a checkbox for each encoding.
 *
 * The form reads as a sentence. Encodings stand by family and, within a family, by what unit propagation finds on
 * them. Encodings of at most one are for k = 1 only, and weights are for sums of weights only; what cannot be asked for
 * is switched off, and stays chosen. With weights and without them, other encodings are chosen.
 */
import { h, number, select } from './dom.js';

export const RELATIONS = [['at_most', 'At most'], ['at_least', 'At least'], ['exactly', 'Exactly']];

const FAMILIES = [
  ['card', 'Counting: any k'],
  ['amo', 'At most one: only for k = 1'],
  ['pb', 'Sums of weights; all of weight 1 if the rule has none'],
];

/** The largest n, and the largest weight. */
const MOST = 100000;
const MOST_WEIGHT = 2 ** 32 - 1;
/** What a literal counts. */
const COUNTS = [['one', '1'], ['list', 'its weight, of a list'], ['lot', 'its weight, by lot']];

/** What the words for strength mean. */
const STRENGTHS = {
  GAC: 'GAC (generalised arc consistent): unit propagation alone finds everything that follows',
  'not GAC': 'Not GAC: unit propagation misses some of what follows',
};

/** Chosen before anybody has chosen: few, and as different as can be. */
const FIRST = ['card:combinatorial', 'card:sequential', 'card:totalizer', 'card:network', 'card:adder', 'card:smallest',
  'amo:pairwise', 'amo:ladder', 'amo:product', 'amo:smallest'];
const FIRST_OF_WEIGHTS = ['pb:smallest', 'pb:interval-diagram', 'pb:generalized-totalizer', 'pb:global-watchdog',
  'pb:mixed-radix-sorter', 'pb:binary-adder'];

/** Rules to try with one click. */
const TRIES = [
  { text: 'At most 2 of 8', relation: 'at_most', k: '2', n: '8' },
  { text: 'At most one of 12', relation: 'at_most', k: '1', n: '12' },
  { text: 'Exactly half of 10', relation: 'exactly', k: 'n/2', n: '10' },
  { text: 'At least 3 of 64', relation: 'at_least', k: '3', n: '64' },
  { text: 'Weights 3, 5, 7 and 9', relation: 'at_most', k: '12', n: '4', weights: '3 5 7 9' },
  { text: '12 weights by lot', relation: 'at_most', k: 'sum/2', n: '12', most: '20' },
];

/**
 * What k is for n literals, or a sum of n: a number, or a share such as n/2 (rounded down), n-1 or sum/2; `null` if it
 * cannot be read.
 */
export function bound(k, n) {
  const text = String(k).replaceAll(' ', '');
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const share = /^(?:n|sum)(?:([/-])(\d{1,15}))?$/.exec(text);
  if (!share) return null;
  const [, sign, by] = share;
  if (sign === '/') return Number(by) ? Math.floor(n / Number(by)) : null;
  return Math.max(0, n - Number(by ?? 0));
}

/**
 * The rule in words: “at most 2 of 8”, “at most 12 as the sum of 4 with weights 3, 5, 7, 9”; without n where that is
 * not known.
 */
export function sentence({ relation, k, n = null, weights = null }) {
  const words = `${RELATIONS.find(([value]) => value === relation)[1].toLowerCase()} ${k}`;
  if (n === null) return words;
  if (weights === null) return `${words} of ${n}`;
  const some = Array.isArray(weights)
    ? `${weights.slice(0, 12).join(', ')}${weights.length > 12 ? ', …' : ''}`
    : `from ${weights.least} to ${weights.most} by lot`;
  return `${words} as the sum of ${n} with weights ${some}`;
}

/** The rule as the server's questions take it, but for n. */
export const constraintOf = ({ relation, k, weights }) => ({ relation, k, ...(weights && { weights }) });

/**
 * The form.
 * @param {{name: string, family: string, about: string, paper: string, strength: string,
 *   relations: string[]}[]} encodings
 * @param {() => void} changed called after every change that can be read
 */
export function ruleForm(encodings, changed) {
  const about = { 'aria-describedby': 'enc-problem' };
  const relation = select('enc-relation', RELATIONS, 'at_most');
  const k = h('input', { id: 'enc-k', value: '2', size: 5, autocomplete: 'off', ...about });
  const n = number('enc-n', '8', 1, MOST, about);
  const counts = select('enc-counts', COUNTS, 'one');
  const list = h('input', { id: 'enc-weights', value: '3 5 7 9', size: 24, autocomplete: 'off', ...about });
  const most = number('enc-weight-most', '20', 1, MOST_WEIGHT, about);
  const problem = h('p', { id: 'enc-problem', class: 'enc-problem', role: 'alert' });
  const boxes = new Map(encodings.map(({ name }) => [name, h('input', { type: 'checkbox', value: name })]));
  const picked = { one: new Set(FIRST), weights: new Set(FIRST_OF_WEIGHTS) };
  const count = h('span', {});
  const of = h('span', {});
  const end = h('span', {});
  const listField = h('label', {}, h('span', { class: 'hidden', text: 'Weights' }), list);
  const lotField = h('label', {}, 'from 1 to ', most);

  const weights = () => ({
    one: () => null,
    list: () => list.value.split(/[\s,]+/).filter(Boolean).map(Number),
    lot: () => ({ least: 1, most: Number(most.value), seed: 1 }),
  })[counts.value]();
  const read = () => ({
    relation: relation.value, k: k.value.trim().replaceAll(' ', ''), n: Number(n.value), weights: weights(),
  });
  const usable = (encoding, rule) =>
    (rule.weights ? encoding.family === 'pb' : encoding.family !== 'amo' || bound(rule.k, rule.n) === 1)
    && (!encoding.relations?.length || encoding.relations.includes(rule.relation));
  const chosen = () => encodings.filter((encoding) =>
    boxes.get(encoding.name).checked && usable(encoding, read())).map((encoding) => encoding.name);

  const check = () => {
    const rule = read();
    const weight = (one) => Number.isInteger(one) && one >= 0 && one <= MOST_WEIGHT;
    let wrong = null;
    if (bound(rule.k, rule.n) === null) {
      wrong = [k, `k is a number such as 2, or a share such as ${rule.weights ? 'sum/2' : 'n/2 or n-1'}.`];
    } else if (!Number.isInteger(rule.n) || rule.n < 1 || rule.n > MOST) {
      wrong = [n, 'n is a whole number from 1 to 100,000.'];
    } else if (counts.value === 'list' && !(rule.weights.length && rule.weights.every(weight))) {
      wrong = [list, 'Weights are whole numbers up to 4,294,967,295, parted by blanks, such as 3 5 7 9.'];
    } else if (counts.value === 'lot' && !(weight(rule.weights.most) && rule.weights.most > 0)) {
      wrong = [most, 'The largest weight is a whole number from 1 to 4,294,967,295.'];
    }
    for (const field of [k, n, list, most]) field.setAttribute('aria-invalid', String(wrong?.[0] === field));
    problem.textContent = wrong?.[1] ?? '';
    return !wrong;
  };
  /** Encodings of the rule's kind are those that were chosen for it. */
  const mark = () => {
    const rule = read();
    const mine = rule.weights ? picked.weights : picked.one;
    for (const encoding of encodings) {
      const box = boxes.get(encoding.name);
      box.checked = mine.has(encoding.name);
      box.disabled = !usable(encoding, rule);
    }
    count.textContent = `${chosen().length} of ${encodings.length}`;
    [of.textContent, end.textContent] = rule.weights ? [' as the weighted sum of ', ' literals.']
      : [' of ', ' literals are true.'];
    listField.hidden = counts.value !== 'list';
    lotField.hidden = counts.value !== 'lot';
  };
  const update = () => {
    if (!check()) return;
    mark();
    changed();
  };
  const typed = ({ target }) => {
    if (boxes.get(target.value) === target) {
      const mine = weights() ? picked.weights : picked.one;
      mine[target.checked ? 'add' : 'delete'](target.value);
    }
    // So many weights are for so many literals, until somebody says otherwise.
    if (target === list && weights().length) n.value = weights().length;
    if (target === counts) mark();
    update();
  };

  const element = h('form', { class: 'card', 'aria-label': 'The rule', on: {
    submit: (event) => event.preventDefault(), input: typed,
  } },
  h('p', { class: 'enc-sentence' }, quiet('Relation', relation), ' ', quiet('k', k), of, quiet('n', n), end),
  h('p', { class: 'buttons enc-counts' }, h('label', { for: 'enc-counts', text: 'A literal counts' }), counts,
    listField, lotField),
  problem,
  h('p', { class: 'buttons' }, h('span', {}, 'Try: '), ...TRIES.map((one) => h('button', {
    type: 'button', on: { click: () => {
      relation.value = one.relation;
      k.value = one.k;
      n.value = one.n;
      counts.value = one.weights ? 'list' : one.most ? 'lot' : 'one';
      if (one.weights) list.value = one.weights;
      if (one.most) most.value = one.most;
      update();
    } },
  }, one.text))),
  h('details', { class: 'enc-choice' }, h('summary', {}, 'Encodings: ', count, ' chosen'),
    ...FAMILIES.map(([family, title]) => familyOf(title, encodings.filter((one) => one.family === family), boxes))));
  mark();
  return { element, read, chosen, valid: check };
}

/** A control inside the sentence; its name is for screen readers, everybody else reads the sentence. */
const quiet = (name, control) => h('label', {}, h('span', { class: 'hidden', text: name }), control);

/** The checkboxes of one family, a group for each strength. */
function familyOf(title, encodings, boxes) {
  if (!encodings.length) return null;
  const strengths = [...new Set(encodings.map((encoding) => encoding.strength))];
  return h('fieldset', {}, h('legend', {}, title), ...strengths.map((strength) =>
    h('div', { role: 'group', 'aria-label': strength, class: 'enc-strength' },
      h('p', {}, STRENGTHS[strength] ?? strength),
      ...encodings.filter((encoding) => encoding.strength === strength).map((encoding) =>
        h('label', {}, boxes.get(encoding.name), ' ', encoding.name,
          h('small', {}, encoding.about, encoding.paper ? h('cite', { text: encoding.paper }) : null))))));
}
