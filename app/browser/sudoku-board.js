/**
 * Reads the Sudoku on the page and looks, without the server's help, whether it is solved: from the values, regions and
 * marks of the cells alone.
 */
import assert from 'node:assert/strict';

/** The board: values (0: none), origins, regions and classes of all cells, by row. */
export const board = (page) => page.evaluate(() => {
  const rows = [...document.querySelectorAll('#sudoku-grid [role=row]')];
  return rows.map((row) => [...row.children].map((cell) => ({
    value: Number(cell.dataset.shows?.startsWith('?') ? 0 : cell.textContent), status: cell.dataset.status,
    region: cell.dataset.region, classes: [...cell.classList],
  })));
});

export const values = (cells) => cells.map((row) => row.map((cell) => cell.value));

/** All groups of cells that may hold no value twice, with their names. */
function groups(cells) {
  const n = cells.length;
  const all = cells.map((row, at) => [`row ${at + 1}`, row]);
  for (let at = 0; at < n; at += 1) all.push([`column ${at + 1}`, cells.map((row) => row[at])]);
  const flat = cells.flat();
  for (const region of new Set(flat.map((cell) => cell.region).filter(Boolean))) {
    all.push([`region ${region}`, flat.filter((cell) => cell.region === region)]);
  }
  for (const rule of ['falling', 'rising']) {
    const line = flat.filter((cell) => cell.classes.includes(rule));
    if (line.length) all.push([rule, line]);
  }
  if (flat.some((cell) => cell.classes.includes('window'))) {
    for (const top of [1, 5]) {
      for (const left of [1, 5]) {
        all.push([`window at ${top}, ${left}`, cells.slice(top, top + 3).flatMap((row) => row.slice(left, left + 3))]);
      }
    }
  }
  return all;
}

/** Cells that an anti-knight or anti-king rule keeps apart, as steps down and to the side. */
const STEPS = { anti_knight: [[1, 2], [1, -2], [2, 1], [2, -1]], anti_king: [[1, 1], [1, -1]] };

/** Fails unless every cell has a value and no rule is broken; `mode` may have rules that no cell shows. */
export function assertSolved(cells, mode = {}) {
  const n = cells.length;
  for (const [rule, steps] of Object.entries(STEPS)) {
    if (!mode[rule]) continue;
    cells.forEach((row, r) => row.forEach((cell, c) => steps.forEach(([down, side]) =>
      assert.notEqual(cell.value, cells[r + down]?.[c + side]?.value, `${rule}: row ${r + 1}, column ${c + 1}`))));
  }
  for (const [name, group] of groups(cells)) {
    const sorted = group.map((cell) => cell.value).sort((a, b) => a - b);
    assert.deepEqual(sorted, Array.from({ length: n }, (_, at) => at + 1), name);
  }
}

/** Fails unless all values of `before` that were given or entered are still there. */
export function assertKept(before, after) {
  before.forEach((row, r) => row.forEach((cell, c) => {
    if (cell.status === 'given' || cell.status === 'entered') {
      const now = after[r][c];
      assert.deepEqual([now.value, now.status], [cell.value, cell.status], `row ${r + 1}, column ${c + 1}`);
    }
  }));
}

/** The indices of cells with a class. */
export const marked = (cells, name) => cells.flatMap((row, r) =>
  row.flatMap((cell, c) => (cell.classes.includes(name) ? [[r, c]] : [])));
