/**
 * Killer cages, thermometers and arrows as data: rules over a few cells, part of a layout. Nothing here knows the page.
 *
 * @typedef {object} Clue
 * @property {'cage'|'thermometer'|'arrow'} kind
 * @property {number[]} cells in order: a thermometer begins at its bulb, an arrow at its circle
 * @property {number|null} sum of a cage that has one
 */

/** The largest side of a board with clues, as the server says it. */
export const MOST_SIDE = 16;
/** Kinds by their letter in addresses. */
const KINDS = { k: 'cage', t: 'thermometer', a: 'arrow' };
/** Digits of addresses. */
const BASE = 36;

/** The least and the greatest number of cells of a kind. */
export const counts = (kind, n) => ({ cage: [1, n], thermometer: [2, n], arrow: [2, n + 1] })[kind];

/** The least and the greatest sum of a cage of so many cells. */
export const sums = (count, n) => [(count * (count + 1)) / 2, (count * (2 * n + 1 - count)) / 2];

/** Clues as the server reads them. */
export const toServer = (clues, n) =>
  clues.map(({ kind, cells, sum }) => ({ kind, cells: cells.map((at) => [Math.floor(at / n), at % n]), sum }));

/** Clues from the server's sheet. */
export const fromServer = (clues, n) =>
  (clues ?? []).map(({ kind, cells, sum }) => ({
    kind,
    cells: cells.map(([row, column]) => row * n + column),
    sum: sum ?? null,
  }));

/** Clues as text for addresses: `k10.0.1_t.2.3`, all numbers in base 36. */
export const pack = (clues) =>
  clues
    .map(({ kind, cells, sum }) => {
      const letter = Object.keys(KINDS).find((one) => KINDS[one] === kind);
      return [letter + (sum ?? '').toString(BASE), ...cells.map((cell) => cell.toString(BASE))].join('.');
    })
    .join('_');

/** Reads what {@link pack} writes; null if it is not that, or cannot be on a board of side n. */
export function unpack(packed, n) {
  if (packed !== '' && n > MOST_SIDE) return null;
  const clues = [];
  for (const text of packed === '' ? [] : packed.split('_', 3 * n * n + 1)) {
    const found = /^([kta])([0-9a-z]{0,2})((\.[0-9a-z]{1,2})+)$/.exec(text);
    if (!found) return null;
    const kind = KINDS[found[1]];
    const sum = found[2] === '' ? null : parseInt(found[2], BASE);
    const cells = found[3].slice(1).split('.').map((word) => parseInt(word, BASE));
    const [least, most] = counts(kind, n);
    const [low, high] = sums(cells.length, n);
    const summed = sum === null || (kind === 'cage' && sum >= low && sum <= high);
    const inside = cells.every((cell) => cell < n * n) && new Set(cells).size === cells.length;
    if (!inside || !summed || cells.length < least || cells.length > most) return null;
    clues.push({ kind, cells, sum });
  }
  return clues;
}

/** The words of a screen reader about a cell: `cage with sum 10`, `thermometer, 2 of 4`. */
export function told({ kind, cells, sum }, cell) {
  if (kind === 'cage') return sum === null ? 'cage' : `cage with sum ${sum}`;
  const at = cells.indexOf(cell);
  if (at === 0) return kind === 'arrow' ? 'circle of an arrow' : 'bulb of a thermometer';
  return kind === 'arrow' ? 'on an arrow' : `thermometer, ${at + 1} of ${cells.length}`;
}
