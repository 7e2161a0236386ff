/**
 * The clauses of one rule, to be looked at literal by literal.
 *
 * Every clause stands as its literals and, beside them, as the implication that it is: negated literals are the
 * condition, the others the conclusion. Pointing at a literal, or going there with the arrow keys, says which role its
 * variable has and lights it up in all clauses and in the drawing. The list is one stop of the Tab key: the arrow keys
 * move in it, so that a thousand literals do not stand between the form and the rest of the page.
 */

import { h } from './dom.js';
import { grouped } from './picture.js';

const PAGE = 200;

/**
 * Names and roles by the variables' numbers: inputs are x1, x2, …; auxiliaries a1, a2, ….
 * @returns {Map<number, {name: string, input: boolean, role: string}>}
 */
export const namesOf = (variables) =>
  new Map(variables.map(({ number, name, role }) => [number, { name, input: name.startsWith('x'), role }]));

const listed = (words, last) =>
  (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`);

/** A clause in words: “if x1 and x2, then a3”. */
export function reading(clause, names) {
  const of = (literal) => names.get(Math.abs(literal)).name;
  const condition = clause.filter((literal) => literal < 0).map(of);
  const conclusion = clause.filter((literal) => literal > 0).map(of);
  if (!clause.length) return 'never: no choice is allowed';
  if (clause.length === 1) return condition.length ? `${condition[0]} is false` : `${conclusion[0]} is true`;
  if (!conclusion.length) return `not ${condition.length > 2 ? 'all of' : 'both'} ${listed(condition, 'and')}`;
  if (!condition.length) return `${listed(conclusion, 'or')}`;
  return `if ${listed(condition, 'and')}, then ${listed(conclusion, 'or')}`;
}

/**
 * Shows clauses.
 * @param {number[][]} clauses
 * @param {Map<number, {name: string, input: boolean, role: string}>} names
 * @param {(variable: number|null) => void} pointed called with the variable that is looked at
 * @returns {{element: Element, highlight: (variable: number|null) => void}}
 */
export function clauseList(clauses, names, pointed) {
  const uses = new Map();
  for (const literal of clauses.flat()) uses.set(Math.abs(literal), (uses.get(Math.abs(literal)) ?? 0) + 1);
  const status = h('p', { class: 'enc-status', id: 'enc-status' });
  const plain = 'Point at a literal, or go there with Tab and the arrow keys.';
  const cells = new Map();
  const list = h('div', {
    class: 'enc-clauses', role: 'grid', 'aria-label': 'Clauses', 'aria-describedby': 'enc-status',
    tabindex: -1, // it scrolls, and Firefox would stop at it, besides at the literal in it
  });
  const rows = [];

  const say = (literal, at) => {
    const variable = names.get(Math.abs(literal));
    const [sign, negated] = literal < 0 ? ['¬', ', negated'] : ['', ''];
    status.textContent = `${sign}${variable.name}: ${variable.role}${negated}; in `
      + `${grouped(uses.get(Math.abs(literal)) ?? 0)} clauses.`
      + (at === null ? '' : ` Clause ${at + 1}: ${reading(clauses[at], names)}.`);
  };
  const light = (variable) => {
    for (const lit of list.querySelectorAll('.enc-lit-same')) lit.classList.remove('enc-lit-same');
    for (const row of list.querySelectorAll('.enc-clause-with')) row.classList.remove('enc-clause-with');
    for (const cell of cells.get(variable) ?? []) {
      cell.classList.add('enc-lit-same');
      cell.parentElement.classList.add('enc-clause-with');
    }
  };
  const look = (literal, at) => {
    say(literal, at);
    light(Math.abs(literal));
    pointed(Math.abs(literal));
  };
  const away = () => {
    status.textContent = plain;
    light(null);
    pointed(null);
  };

  const cellOf = (literal, at) => {
    const { name, role, input } = names.get(Math.abs(literal));
    const cell = h('span', {
      role: 'gridcell', tabindex: -1, class: `enc-lit${input ? '' : ' enc-aux'}${literal < 0 ? ' enc-not' : ''}`,
      'aria-label': `${literal < 0 ? 'not ' : ''}${name}${input ? '' : `, ${role}`}`,
      on: { pointerenter: () => look(literal, at), focus: () => look(literal, at) },
    }, `${literal < 0 ? '¬' : ''}${name}`);
    if (!cells.has(Math.abs(literal))) cells.set(Math.abs(literal), []);
    cells.get(Math.abs(literal)).push(cell);
    return cell;
  };
  const more = h('button', { type: 'button', on: { click: () => showMore() } });
  const showMore = () => {
    const first = rows.length;
    for (let at = first; at < Math.min(first + PAGE, clauses.length); at += 1) {
      const row = h('div', { role: 'row', class: 'enc-clause', 'aria-label': `Clause ${at + 1}` },
        ...clauses[at].map((literal) => cellOf(literal, at)),
        h('span', { role: 'gridcell', tabindex: -1, class: 'enc-reading' }, reading(clauses[at], names)));
      rows.push(row);
      list.append(row);
    }
    const left = clauses.length - rows.length;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(PAGE, left)} more of ${grouped(left)}`;
    if (first === 0) rows[0]?.firstElementChild?.setAttribute('tabindex', 0);
  };
  list.addEventListener('keydown', (event) => move(event, rows));
  list.addEventListener('focusin', (event) => {
    for (const cell of list.querySelectorAll('[tabindex="0"]')) cell.setAttribute('tabindex', -1);
    event.target.setAttribute('tabindex', 0);
    if (event.target.classList.contains('enc-reading')) away();
  });
  list.addEventListener('focusout', away);
  list.addEventListener('pointerleave', away);
  showMore();
  away();
  return {
    element: h('div', {}, variableList(names, { look, away }), status, list, more),
    highlight(variable) {
      if (variable === null) away();
      else {
        say(variable, null);
        light(variable);
      }
    },
  };
}

/** All variables with their roles, inputs first; one stop of the Tab key as well. */
function variableList(names, { look, away }) {
  const items = [...names.keys()].map((number) => h('li', {
    tabindex: -1, class: `enc-lit${names.get(number).input ? '' : ' enc-aux'}`,
    on: { pointerenter: () => look(number, null), pointerleave: away, focus: () => look(number, null), blur: away },
  }, names.get(number).name));
  items[0]?.setAttribute('tabindex', 0);
  const list = h('ul', { class: 'enc-variables', 'aria-label': 'Variables' }, ...items);
  list.addEventListener('keydown', (event) => {
    const at = items.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (at < 0 || to === undefined || !items[to]) return;
    event.preventDefault();
    items[at].setAttribute('tabindex', -1);
    items[to].setAttribute('tabindex', 0);
    items[to].focus();
  });
  return list;
}

/** Arrow keys in the list of clauses: left and right in a clause, up and down between clauses. */
function move(event, rows) {
  const row = event.target.closest('.enc-clause');
  const at = rows.indexOf(row);
  if (at < 0) return;
  const column = [...row.children].indexOf(event.target);
  const place = (to, wanted) => rows[to]?.children[Math.min(wanted, rows[to].children.length - 1)];
  const target = {
    ArrowRight: () => row.children[column + 1],
    ArrowLeft: () => row.children[column - 1],
    ArrowDown: () => place(at + 1, column),
    ArrowUp: () => place(at - 1, column),
    Home: () => (event.ctrlKey ? rows[0].children[0] : row.children[0]),
    End: () => (event.ctrlKey ? rows[rows.length - 1].children[0] : row.lastElementChild),
    PageDown: () => place(Math.min(at + 10, rows.length - 1), column),
    PageUp: () => place(Math.max(at - 10, 0), column),
  }[event.key]?.();
  if (!target) return;
  event.preventDefault();
  target.focus();
}
