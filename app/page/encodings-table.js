/**
 * The table: every chosen encoding of the one rule, by variables, clauses, literals, strength and time to encode.
 *
 * A header is a button that sorts by its column. The least of a column is marked by a word, not by colour alone.
 */

import { h } from './dom.js';
import { grouped } from './picture.js';

const COLUMNS = [
  ['encoding', 'Encoding'],
  ['variables', 'Auxiliary variables'],
  ['clauses', 'Clauses'],
  ['literals', 'Literals'],
  ['strength', 'Strength'],
  ['micros', 'Time to encode'],
];
const NUMBERS = ['variables', 'clauses', 'literals', 'micros'];

/** Microseconds as people read them. */
export function duration(micros) {
  if (micros < 1000) return `${micros < 10 ? Number(micros.toPrecision(2)) : Math.round(micros)} µs`;
  if (micros < 1e6) return `${Number((micros / 1000).toPrecision(3))} ms`;
  return `${Number((micros / 1e6).toPrecision(3))} s`;
}

/** The order of two rows by a column; what was refused, or is not known, comes last. */
function before(column, a, b) {
  const [left, right] = [a[column] ?? null, b[column] ?? null];
  if (left === null || right === null) return (left === null) - (right === null);
  return NUMBERS.includes(column) ? left - right : String(left).localeCompare(String(right));
}

/**
 * The table; it keeps its sorting over new rows.
 * @param {(name: string|null) => void} pointed called with the encoding under the pointer
 */
export function sizeTable(pointed) {
  let rows = [];
  let context = null;
  let sorted = { column: 'clauses', down: false };
  const caption = h('caption', {});
  const head = h('tr', {});
  const body = h('tbody', {});
  const element = h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Sizes' },
    h('table', { class: 'enc-sizes' }, caption, h('thead', {}, head), body));

  const headers = COLUMNS.map(([column, title]) => h('th', { scope: 'col' }, h('button', {
    type: 'button', on: { click: () => {
      sorted = { column, down: sorted.column === column && !sorted.down };
      show();
    } },
  }, title)));
  head.append(...headers);

  const show = () => {
    headers.forEach((header, at) => header.setAttribute('aria-sort',
      COLUMNS[at][0] !== sorted.column ? 'none' : sorted.down ? 'descending' : 'ascending'));
    const order = [...rows].sort((a, b) => before(sorted.column, a, b) * (sorted.down ? -1 : 1)
      || a.encoding.localeCompare(b.encoding));
    const least = Object.fromEntries(NUMBERS.map((column) =>
      [column, Math.min(...rows.map((row) => row[column] ?? Infinity))]));
    body.replaceChildren(...order.map((row) => rowOf(row, least, context, pointed)));
  };
  return {
    element,
    /** Shows other rows. `next` has a caption, the sentence of each encoding by name, and the looks of the lines. */
    update(next, given) {
      context = next;
      rows = given;
      caption.textContent = next.caption;
      show();
    },
  };
}

function rowOf(row, least, context, pointed) {
  const name = h('th', { scope: 'row' },
    h('span', { class: 'enc-name' }, context.looks.sample(row.encoding), row.encoding),
    h('small', {}, context.sentences.get(row.encoding) ?? ''));
  const known = row.clauses !== null;
  const sizes = known
    ? ['variables', 'clauses', 'literals'].map((column) => numberCell(row[column], least[column], grouped))
    : [h('td', { colspan: 3, class: 'enc-refused', text: row.refused })];
  const time = known && row.refused ? h('td', { class: 'enc-refused', text: row.refused })
    : numberCell(row.micros ?? null, null, duration);
  return h('tr', { on: {
    pointerenter: () => pointed(row.encoding), pointerleave: () => pointed(null),
  } }, name, ...sizes, h('td', { text: row.strength }), time);
}

const numberCell = (value, least, text) => h('td', { class: 'enc-number' }, value === null ? '–' : text(value),
  value !== null && value === least ? h('small', { class: 'enc-least' }, 'least') : null);
