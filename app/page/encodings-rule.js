/**
 * The rule and the choice of encodings: “At most 2 of 8 are true”, and a checkbox for each encoding.
 *
 * The form reads as a sentence. Encodings stand by family and, within a family, by what unit propagation finds on
 * them. Encodings of at most one are for k = 1 only; they are switched off otherwise, and stay chosen.
 */

import { h, select } from './dom.js';

export const RELATIONS = [['at_most', 'At most'], ['at_least', 'At least'], ['exactly', 'Exactly']];

const FAMILIES = [
  ['card', 'Counting: any k'],
  ['amo', 'At most one: only for k = 1'],
  ['pb', 'Sums of weights, here all of weight 1'],
];

/** The largest n. */
const MOST = 100000;

/** What the words for strength mean. */
const STRENGTHS = {
  GAC: 'GAC (generalised arc consistent): unit propagation alone finds everything that follows',
  'not GAC': 'Not GAC: unit propagation misses some of what follows',
};

/** Chosen before anybody has chosen: few, and as different as can be. */
const FIRST = ['card:combinatorial', 'card:sequential', 'card:totalizer', 'card:network', 'card:adder', 'card:smallest',
  'amo:pairwise', 'amo:ladder', 'amo:product', 'amo:smallest'];

/** Rules to try with one click. */
const TRIES = [
  { text: 'At most 2 of 8', relation: 'at_most', k: '2', n: '8' },
  { text: 'At most one of 12', relation: 'at_most', k: '1', n: '12' },
  { text: 'Exactly half of 10', relation: 'exactly', k: 'n/2', n: '10' },
  { text: 'At least 3 of 64', relation: 'at_least', k: '3', n: '64' },
];

/** What k is for n literals: a number, or a share such as n/2 (rounded down) or n-1; `null` if it cannot be read. */
export function bound(k, n) {
  const text = String(k).replaceAll(' ', '');
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const share = /^n(?:([/-])(\d{1,9}))?$/.exec(text);
  if (!share) return null;
  const [, sign, number] = share;
  if (sign === '/') return Number(number) ? Math.floor(n / Number(number)) : null;
  return Math.max(0, n - Number(number ?? 0));
}

/** The rule in words: “at most 2 of 8”, or “at most 2” where n is not known. */
export const sentence = ({ relation, k, n = null }) =>
  `${RELATIONS.find(([value]) => value === relation)[1].toLowerCase()} ${k}${n === null ? '' : ` of ${n}`}`;

/**
 * The form.
 * @param {{name: string, family: string, about: string, paper: string, strength: string,
 *   relations: string[]}[]} encodings
 * @param {() => void} changed called after every change that can be read
 */
export function ruleForm(encodings, changed) {
  const relation = select('enc-relation', RELATIONS, 'at_most');
  const k = h('input', { id: 'enc-k', value: '2', size: 5, autocomplete: 'off', 'aria-describedby': 'enc-problem' });
  const n = h('input', {
    id: 'enc-n', value: '8', type: 'number', min: 1, max: MOST, 'aria-describedby': 'enc-problem',
  });
  const problem = h('p', { id: 'enc-problem', class: 'enc-problem', role: 'alert' });
  const boxes = new Map(encodings.map((encoding) => [encoding.name, h('input', {
    type: 'checkbox', value: encoding.name, checked: FIRST.includes(encoding.name),
  })]));
  const count = h('span', {});

  const read = () => ({ relation: relation.value, k: k.value.trim().replaceAll(' ', ''), n: Number(n.value) });
  const usable = (encoding, rule) =>
    (encoding.family !== 'amo' || bound(rule.k, rule.n) === 1)
    && (!encoding.relations?.length || encoding.relations.includes(rule.relation));
  const chosen = () => encodings.filter((encoding) =>
    boxes.get(encoding.name).checked && usable(encoding, read())).map((encoding) => encoding.name);

  const check = () => {
    const rule = read();
    let wrong = null;
    if (bound(rule.k, rule.n) === null) wrong = [k, 'k is a number such as 2, or a share such as n/2 or n-1.'];
    else if (!Number.isInteger(rule.n) || rule.n < 1 || rule.n > MOST) {
      wrong = [n, 'n is a whole number from 1 to 100,000.'];
    }
    for (const field of [k, n]) field.setAttribute('aria-invalid', String(wrong?.[0] === field));
    problem.textContent = wrong?.[1] ?? '';
    return !wrong;
  };
  const mark = () => {
    for (const encoding of encodings) boxes.get(encoding.name).disabled = !usable(encoding, read());
    count.textContent = `${chosen().length} of ${encodings.length}`;
  };
  const update = () => {
    if (!check()) return;
    mark();
    changed();
  };

  const element = h('form', { class: 'card', 'aria-label': 'The rule', on: {
    submit: (event) => event.preventDefault(), input: update,
  } },
  h('p', { class: 'enc-sentence' },
    quiet('Relation', relation), ' ', quiet('k', k), ' of ', quiet('n', n), ' literals are true.'),
  problem,
  h('p', { class: 'buttons' }, h('span', {}, 'Try: '), ...TRIES.map((one) => h('button', {
    type: 'button', on: { click: () => {
      relation.value = one.relation;
      k.value = one.k;
      n.value = one.n;
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
