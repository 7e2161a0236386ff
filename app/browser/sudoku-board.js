/**
 * Reads the Sudoku on the page and looks, without the server's help, whether it is solved: from the values, regions and
 * marks of the cells alone.
 */
import assert from 'node:assert/strict';

/** The board: values (0: none), origins, regions and classes of all cells, by row. */
export const board = (page) => page.evaluate(() => [...document.querySelectorAll('#sudoku-grid [role=row]')].map((row) =>
  [...row.children].map((cell) => ({
    value: Number(cell.dataset.shows?.startsWith('?') ? 0 : cell.textContent), status: cell.dataset.status,
    region: cell.dataset.region, classes: [...cell.classList],
  }))));

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

/** Fails unless every cell has a value and no rule is broken. */
export function assertSolved(cells) {
  const n = cells.length;
  for (const [name, group] of groups(cells)) {
    assert.deepEqual(group.map((cell) => cell.value).sort((a, b) => a - b), Array.from({ length: n }, (_, i) => i + 1), name);
  }
}

/** Fails unless all values of `before` that were given or entered are still there. */
export function assertKept(before, after) {
  before.forEach((row, r) => row.forEach((cell, c) => {
    if (cell.status === 'given' || cell.status === 'entered') {
      assert.deepEqual([after[r][c].value, after[r][c].status], [cell.value, cell.status], `row ${r + 1}, column ${c + 1}`);
    }
  }));
}

/** The indices of cells with a class. */
export const marked = (cells, name) => cells.flatMap((row, r) =>
  row.flatMap((cell, c) => (cell.classes.includes(name) ? [[r, c]] : [])));
