/**
 * Layouts of Sudoku: which cell is in which region, and how to show that. Nothing here knows the page.
 *
 * @typedef {object} Layout
 * @property {number} n the side
 * @property {number[]|null} regions the region of each cell, row by row, from 0; -1 is none yet; null: a Latin square
 * @property {boolean} diagonals both diagonals hold every value
 * @property {boolean} windows the windows (boxes between boxes) hold every value
 * @property {boolean} antiKnight cells a knight's move apart differ
 * @property {boolean} antiKing cells that touch at a corner differ
 * @property {import('./sudoku-clues.js').Clue[]} clues cages, thermometers and arrows
 * @property {string|null} mode the name of the mode, null for one's own
 */

/** Grounds there are for regions in sudoku.css. */
const TINTS = 7;

/** Regions of `rows` × `columns` boxes. */
export function boxes(n, rows, columns) {
  return Array.from({ length: n * n }, (_, cell) => {
    const [row, column] = [Math.floor(cell / n), cell % n];
    return Math.floor(row / rows) * (n / columns) + Math.floor(column / columns);
  });
}

/** The box that suits a side best: as square as can be, not higher than wide. [1, n] for a prime. */
export function boxOf(n) {
  for (let rows = Math.floor(Math.sqrt(n)); rows >= 1; rows -= 1) {
    if (n % rows === 0) return [rows, n / rows];
  }
  return [1, n];
}

/** Regions in order of their first cell, so that equal layouts are equal lists. */
export function canonical(regions) {
  if (regions === null) return null;
  const names = new Map();
  return regions.map((region) => {
    if (region < 0) return -1;
    if (!names.has(region)) names.set(region, names.size);
    return names.get(region);
  });
}

/** Rows and columns of a box, if the regions are boxes; null otherwise. */
export function asBoxes(n, regions) {
  if (regions === null) return null;
  for (let rows = 1; rows <= n; rows += 1) {
    if (n % rows === 0 && same(regions, boxes(n, rows, n / rows))) return [rows, n / rows];
  }
  return null;
}

/** True if two lists of regions mean the same. */
export function same(a, b) {
  if (a === null || b === null) return a === b;
  const [left, right] = [canonical(a), canonical(b)];
  return left.length === right.length && left.every((region, cell) => region === right[cell]);
}

/** The regions as the server writes them: rows of numbers, "none", or "boxes:3x4". */
export function fromServer(n, regions) {
  if (Array.isArray(regions)) return regions.flat();
  const box = /^boxes:(\d+)x(\d+)$/.exec(regions ?? '');
  return box ? boxes(n, Number(box[1]), Number(box[2])) : null;
}

/** A list of cells as rows. */
export function rowsOf(n, cells) {
  return Array.from({ length: n }, (_, row) => Array.from(cells.slice(row * n, row * n + n)));
}

/** A region's name: A to Z, AA, AB … */
export function regionName(region) {
  if (region < 0) return 'none';
  const last = String.fromCharCode(65 + (region % 26));
  return region < 26 ? last : regionName(Math.floor(region / 26) - 1) + last;
}

/** Cells in each region. */
export function sizes(n, regions) {
  const counts = new Array(n).fill(0);
  regions.forEach((region) => {
    if (region >= 0) counts[region] += 1;
  });
  return counts;
}

/** Cells that share a side with a cell. */
export function neighbours(n, cell) {
  const column = cell % n;
  return [
    column > 0 ? cell - 1 : -1,
    column < n - 1 ? cell + 1 : -1,
    cell - n,
    cell + n < n * n ? cell + n : -1,
  ].filter((other) => other >= 0);
}

/**
 * A ground for each region, unlike its neighbours': regions with most neighbours first, each the first ground that is
 * free. Boxes become a chessboard; any map of connected regions needs few more.
 * @returns {number[]} by region
 */
export function tints(n, regions) {
  const beside = Array.from({ length: n }, () => new Set());
  regions.forEach((region, cell) =>
    neighbours(n, cell).forEach((other) => {
      if (region >= 0 && regions[other] >= 0 && region !== regions[other]) beside[region].add(regions[other]);
    }),
  );
  const chosen = new Array(n).fill(-1);
  const order = [...beside.keys()];
  if (asBoxes(n, regions) === null) order.sort((a, b) => beside[b].size - beside[a].size || a - b);
  for (const region of order) {
    const taken = new Set([...beside[region]].map((other) => chosen[other]));
    const free = [...Array(TINTS).keys()].find((tint) => !taken.has(tint));
    chosen[region] = free ?? region % TINTS;
  }
  return chosen;
}

/** True if the cell is in a window: an extra box inside every four boxes, which are square. */
export function inWindow(n, cell) {
  const side = Math.round(Math.sqrt(n));
  const inside = (at) => at % (side + 1) !== 0;
  return side * side === n && inside(Math.floor(cell / n)) && inside(cell % n);
}

/** True if two different cells of a layout cannot have one value. */
export function sees({ n, regions, diagonals, windows, antiKnight, antiKing, clues }, one, other) {
  const [row, column, r, c] = [Math.floor(one / n), one % n, Math.floor(other / n), other % n];
  const [down, right] = [Math.abs(row - r), Math.abs(column - c)];
  if (one === other) return false;
  if (down === 0 || right === 0 || (regions && regions[one] === regions[other])) return true;
  if (diagonals && ((row === column && r === c) || (row + column === n - 1 && r + c === n - 1))) return true;
  const side = Math.round(Math.sqrt(n)) + 1;
  const same = (a, b) => Math.floor(a / side) === Math.floor(b / side);
  if (windows && inWindow(n, one) && inWindow(n, other) && same(row, r) && same(column, c)) return true;
  const caged = ({ kind, cells }) => kind === 'cage' && cells.includes(one) && cells.includes(other);
  if (clues.some(caged)) return true;
  return (antiKnight && down * right === 2) || (antiKing && down === 1 && right === 1);
}

/** Rules a layout can have besides rows, columns and regions: [field, letter in addresses, what it says]. */
export const EXTRAS = [
  ['diagonals', 'd', 'Diagonals'],
  ['windows', 'w', 'Windows'],
  ['antiKnight', 'n', 'Anti-knight'],
  ['antiKing', 'k', 'Anti-king'],
];

/** True if two layouts are the same rules, whatever their clues. */
export function sameRules(a, b) {
  return a.n === b.n && EXTRAS.every(([name]) => a[name] === b[name]) && same(a.regions, b.regions);
}
