/**
 * Reads the Gem Hunter board on the page, and finds out without the server's help what is certain on it: by trying
 * every answer.
 */
import assert from 'node:assert/strict';

/** What the cell in focus says of itself. */
export const here = (page) => page.evaluate(() => {
  const cell = document.querySelector('#gem-cell');
  return { ...cell.dataset, label: cell.getAttribute('aria-label') };
});

/** All cells of a small board, read one by one with the arrow keys. */
export async function cells(page, rows, columns) {
  const all = [];
  await page.focus('#gem-grid');
  for (let row = 0; row < rows; row += 1) {
    await page.keyboard.press('Control+Home');
    for (let step = 0; step < row; step += 1) await page.keyboard.press('ArrowDown');
    const line = [];
    for (let column = 0; column < columns; column += 1) {
      if (column) await page.keyboard.press('ArrowRight');
      const cell = await here(page);
      assert.deepEqual([cell.row, cell.column], [String(row + 1), String(column + 1)]);
      line.push(cell);
    }
    all.push(line);
  }
  return all;
}

/** All answers of a small board, by trying: what every unknown cell is in each of them. */
export function answers(text) {
  const rows = text.split('\n').map((line) => line.split(/,\s*/));
  const unknown = rows.flatMap((line, r) => line.flatMap((sign, c) => (sign === '_' ? [[r, c]] : [])));
  const numbers = rows.flatMap((line, r) => line.flatMap((sign, c) => (/^\d$/.test(sign) ? [{
    left: Number(sign) - rows.flatMap((other, y) => other.filter((one, x) =>
      one === 'T' && Math.abs(y - r) <= 1 && Math.abs(x - c) <= 1)).length,
    open: unknown.flatMap(([y, x], at) => (Math.abs(y - r) <= 1 && Math.abs(x - c) <= 1 ? [at] : [])),
  }] : [])));
  const found = [];
  const traps = [];
  const possible = () => numbers.every(({ left, open }) => {
    const known = open.filter((at) => at < traps.length);
    const sum = known.filter((at) => traps[at]).length;
    return sum <= left && sum + open.length - known.length >= left;
  });
  const go = () => {
    if (!possible()) return;
    if (traps.length === unknown.length) {
      found.push([...traps]);
      return;
    }
    for (const trap of [true, false]) {
      traps.push(trap);
      go();
      traps.pop();
    }
  };
  go();
  const touched = new Set(numbers.flatMap(({ open }) => open));
  return { unknown, found, touched };
}
