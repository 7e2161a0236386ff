/**
 * Cages, thermometers and arrows as a picture that lies on the board, as the server draws them in its pictures
 * (`clues/draw.rs`): cages dashed with their sums, the others as pale lines. Screen readers hear of them cell by cell.
 */
import { svg } from './dom.js';

/** The side of a cell, and the room between a cage and the lines of its cells. */
const CELL = 40;
const INSET = 4;

/** @returns {SVGElement} of the clues of a layout */
export function drawClues({ n, clues }) {
  const lines = clues.filter(({ kind }) => kind !== 'cage').map((clue) => line(clue, n));
  const cages = clues.filter(({ kind }) => kind === 'cage').map((clue) => cage(clue, n));
  const side = n * CELL;
  return svg(
    'svg',
    { class: 'sudoku-clues', viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true', focusable: 'false' },
    ...lines,
    ...cages,
  );
}

function line({ kind, cells }, n) {
  const points = cells.map((cell) => [((cell % n) + 0.5) * CELL, (Math.floor(cell / n) + 0.5) * CELL]);
  const path = svg('polyline', { points: points.map((point) => point.join(',')).join(' ') });
  const [[cx, cy]] = points;
  if (kind === 'thermometer') {
    return svg('g', { class: 'clue-thermometer' }, path, svg('circle', { cx, cy, r: 15 }));
  }
  const [[x1, y1], [x2, y2]] = points.slice(-2);
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const head = svg('polyline', { points: '-8,-6 0,0 -8,6', transform: `translate(${x2} ${y2}) rotate(${angle})` });
  return svg('g', { class: 'clue-arrow' }, svg('circle', { cx, cy, r: 16 }), path, head);
}

function cage({ cells, sum }, n) {
  const has = (row, column) => column >= 0 && column < n && cells.includes(row * n + column);
  const sides = cells.map((cell) => {
    const [row, column] = [Math.floor(cell / n), cell % n];
    const beside = [has(row - 1, column), has(row, column + 1), has(row + 1, column), has(row, column - 1)];
    const [up, right, down, left] = beside.map((inside) => (inside ? 0 : INSET));
    const [west, east] = [column * CELL + left, (column + 1) * CELL - right];
    const [north, south] = [row * CELL + up, (row + 1) * CELL - down];
    const drawn = [`M${west} ${north}H${east}`, `M${east} ${north}V${south}`, `M${west} ${south}H${east}`,
      `M${west} ${north}V${south}`];
    return drawn.filter((_, at) => !beside[at]).join('');
  });
  const first = Math.min(...cells);
  const [x, y] = [(first % n) * CELL + INSET, Math.floor(first / n) * CELL + INSET + 7];
  return svg(
    'g',
    { class: 'clue-cage' },
    svg('path', { d: sides.join('') }),
    sum === null ? null : svg('text', { x, y, text: String(sum) }),
  );
}
