/**
 * Draws the solution of a model, by its kind: a chessboard, a map as the graph of its borders, a nonogram with its
 * clues, a grid of numbers. What is of no kind known here is shown as the text that the server sends with it.
 *
 * Nothing is told by colour alone: regions carry the number of their colour, queens are signs, filled cells are dark.
 */
import { h, svg } from './dom.js';
import { picture } from './picture.js';

const CELL = 40;
const COLOURS = 8;

const DRAW = { queens, map, nonogram, grid };

/**
 * @param {{kind: string, text?: string}} solution
 * @param {string} title of the model
 * @returns {Element}
 */
export function drawSolution(solution, title) {
  const drawn = DRAW[solution.kind]?.(solution, title);
  return drawn ?? h('pre', { class: 'model-plain', tabindex: 0, 'aria-label': title, text: solution.text ?? '' });
}

const text = (x, y, content, attributes = {}) =>
  svg('text', { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central', ...attributes, text: content });

const point = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** `n` and `columns`: the column of the queen in each row, from 0. */
function queens({ n, columns }, title) {
  const squares = [];
  for (let row = 0; row < n; row += 1) {
    for (let column = 0; column < n; column += 1) {
      const queen = columns[row] === column;
      const [x, y] = [column * CELL, row * CELL];
      squares.push(svg('rect', {
        class: `model-square${(row + column) % 2 ? ' model-dark' : ''}`, x, y, width: CELL, height: CELL,
      }));
      if (queen) squares.push(text(x + CELL / 2, y + CELL / 2, '♛', { class: 'model-queen' }));
    }
  }
  return picture('model-drawing', {
    width: n * CELL, height: n * CELL, class: 'model-drawing', title,
    text: `A chessboard with queens: ${
      columns.map((column, row) => `row ${row + 1} column ${column + 1}`).join(', ')}.`,
  }, ...squares);
}

/**
 * `regions`: name, colour from 0, and x and y from 0 to 1 where the map knows them; `borders`: pairs of indices.
 * Without places the regions stand on a circle.
 */
function map({ regions, borders }, title) {
  const [width, height, radius] = [520, 420, 30];
  const places = regions.map((region, at) => (region.x === undefined || region.x === null ? {
    x: width / 2 + 200 * Math.sin((2 * Math.PI * at) / regions.length),
    y: height / 2 - 160 * Math.cos((2 * Math.PI * at) / regions.length),
  } : { x: 40 + region.x * (width - 80), y: 40 + region.y * (height - 80) }));
  const lines = borders.map(([from, to]) => svg('path', {
    class: 'model-border',
    d: `M${point(places[from])}L${point(places[to])}`,
  }));
  const spots = regions.map((region, at) => svg('g', { transform: `translate(${point(places[at])})` },
    svg('circle', { r: radius, class: `model-region model-colour-${region.colour % COLOURS}` }),
    text(0, -6, region.name, { class: 'model-region-name' }),
    text(0, 11, `colour ${region.colour + 1}`, { class: 'model-region-colour' })));
  return picture('model-drawing', {
    width, height, class: 'model-drawing', title,
    text: `${regions.map((region) => `${region.name}: colour ${region.colour + 1}`).join(', ')}. `
      + `Lines join neighbours: ${
        borders.map(([from, to]) => `${regions[from].name} and ${regions[to].name}`).join(', ')}.`,
  }, ...lines, ...spots);
}

/** `rows` and `columns`: the clues; `cells`: true where filled. */
function nonogram({ rows, columns, cells }, title) {
  const cell = 26;
  const left = 18 * Math.max(1, ...rows.map((clue) => clue.length)) + 8;
  const top = 18 * Math.max(1, ...columns.map((clue) => clue.length)) + 8;
  const parts = [];
  cells.forEach((line, row) => line.forEach((filled, column) => parts.push(svg('rect', {
    class: filled ? 'model-filled' : 'model-blank',
    x: left + column * cell, y: top + row * cell, width: cell, height: cell,
  }))));
  rows.forEach((clue, row) => [...clue].reverse().forEach((length, at) =>
    parts.push(text(left - 14 - at * 18, top + (row + .5) * cell, length, { class: 'model-clue' }))));
  columns.forEach((clue, column) => [...clue].reverse().forEach((length, at) =>
    parts.push(text(left + (column + .5) * cell, top - 14 - at * 18, length, { class: 'model-clue' }))));
  return picture('model-drawing', {
    width: left + columns.length * cell + 2, height: top + rows.length * cell + 2, class: 'model-drawing', title,
    text: cells.map((line, row) =>
      `Row ${row + 1}: ${line.map((filled) => (filled ? '█' : '·')).join('')}`).join('. '),
  }, ...parts);
}

/** `cells`: rows of numbers or short texts; a table, because that is what it is. */
function grid({ cells, note = null }, title) {
  return h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': title },
    h('table', { class: 'model-grid' }, h('caption', { text: note ?? title }),
      h('tbody', {}, ...cells.map((line) => h('tr', {}, ...line.map((value) => h('td', { text: value ?? '' })))))));
}
