/** Playing a Sudoku: typing, moving, taking back, clearing and handing on what was entered; grounds of regions. */
import assert from 'node:assert/strict';
import { board, values } from '../sudoku-board.js';
import { says, scene, until, watch } from '../harness.js';

/** Row 1 misses 4, 6, 7, 8, 9, 1 and 2, in this order. */
const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const hash = `#sudoku/9/-/3x3/${PUZZLE}`;
const report = (page, wanted, patience) => says(page, '#sudoku-report-text', wanted, patience);
const opened = (page) => report(page, 'Opened from the address.');

/** Value and origin of a cell, from its row and column as people count. */
async function cell(page, row, column) {
  const { value, status } = (await board(page))[row - 1][column - 1];
  return [value, status];
}

/** Values and origins of all cells. */
const played = async (page) => (await board(page)).flat().map(({ value, status }) => `${value} ${status}`);

/** Types a value into a cell that is free. */
async function type(page, row, column, value) {
  await page.click(`#sudoku-r${row}c${column}`);
  await page.keyboard.type(String(value));
  await until(async () => (await cell(page, row, column)).join(), `${value},entered`, `row ${row}, column ${column}`);
}

/** The id of the cell that has the keyboard's focus. */
const focus = (page) => page.evaluate(() => document.activeElement.id);

scene('sudoku: Clear takes entered values away, too', { hash }, async (page) => {
  await opened(page);
  const before = await played(page);
  await type(page, 1, 3, 4);
  await page.click('#sudoku-clear');
  await report(page, /^Answers and notes cleared/);
  assert.deepEqual(await played(page), before, 'after one value was entered');

  await type(page, 1, 3, 4);
  await type(page, 9, 1, 3);
  await page.click('#sudoku-result');
  await report(page, /unique/);
  const solved = await played(page);
  assert.ok(solved.includes('4 entered') && solved.some((one) => one.endsWith('solved')));
  await page.click('#sudoku-clear');
  await report(page, /^Answers and notes cleared/);
  assert.deepEqual(await played(page), before, 'after values were entered and solved');
  await page.click('#sudoku-undo');
  assert.deepEqual(await played(page), solved, 'undone');
});

scene('sudoku: a given is kept until givens are typed', { hash }, async (page) => {
  await opened(page);
  const before = await played(page);
  for (const key of ['4', 'Delete', 'Backspace', ' ']) {
    await page.click('#sudoku-r1c1');
    await page.keyboard.press(key);
    await says(page, '#toast', /^This value is given/);
    assert.deepEqual(await played(page), before, `after ${JSON.stringify(key)}`);
  }
  for (const button of ['#sudoku-pad-4', '#sudoku-pad-erase']) {
    await page.click(button);
    assert.deepEqual(await played(page), before, `after ${button}`);
  }
  await page.click('label[for=sudoku-enters-givens]');
  await page.click('#sudoku-r1c1');
  await page.keyboard.press('4');
  await until(async () => (await cell(page, 1, 1)).join(), '4,given', 'another given');
  await page.keyboard.press('Delete');
  await until(async () => (await cell(page, 1, 1)).join(), '0,empty', 'no given');
  await page.click('label[for=sudoku-enters-answers]');
  await type(page, 1, 1, 5);
});

scene('sudoku: keys move as far as they say', { hash }, async (page) => {
  await opened(page);
  await page.click('#sudoku-r5c5');
  for (const [key, row, column] of [
    ['ArrowRight', 5, 6], ['ArrowDown', 6, 6], ['ArrowLeft', 6, 5], ['ArrowUp', 5, 5],
    ['PageDown', 8, 5], ['PageDown', 9, 5], ['PageUp', 6, 5], ['PageUp', 3, 5], ['PageUp', 1, 5],
    ['ArrowUp', 1, 5], ['End', 1, 9], ['ArrowRight', 1, 9], ['Home', 1, 1], ['ArrowLeft', 1, 1],
    ['Control+End', 9, 9], ['ArrowDown', 9, 9], ['Control+Home', 1, 1],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await focus(page), `sudoku-r${row}c${column}`, key);
  }
  for (let column = 2; column <= 9; column += 1) {
    await page.keyboard.press('ArrowRight');
    assert.equal(await focus(page), `sudoku-r1c${column}`);
  }
});

scene('sudoku: what was done again can be undone again', { hash }, async (page) => {
  await opened(page);
  const states = [await played(page)];
  for (const [column, value] of [[3, 4], [4, 6], [6, 8]]) {
    await type(page, 1, column, value);
    states.push(await played(page));
  }
  const is = async (at, what) => assert.deepEqual(await played(page), states[at], what);
  for (let round = 0; round < 2; round += 1) {
    for (const at of [2, 1, 0]) {
      await page.click('#sudoku-undo');
      await is(at, `undone, round ${round}`);
    }
    for (const at of [1, 2, 3]) {
      await page.click('#sudoku-redo');
      await is(at, `done again, round ${round}`);
    }
  }
  assert.equal(await page.getAttribute('#sudoku-redo', 'aria-disabled'), 'true', 'nothing to do again');
  await page.click('#sudoku-undo');
  await page.click('#sudoku-undo');
  await is(1, 'undone');
  await type(page, 2, 2, 7);
  assert.equal(await page.getAttribute('#sudoku-redo', 'aria-disabled'), 'true', 'a new value ends what was undone');
  await page.click('#sudoku-undo');
  await is(1, 'the new value undone');
});

scene('sudoku: a link holds entered values as such', { hash }, async (page) => {
  await opened(page);
  await type(page, 1, 3, 4);
  await type(page, 5, 5, 5);
  await type(page, 9, 1, 1); // wrong, and still what was entered
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.click('#sudoku-link');
  const link = await until(() => page.evaluate(() => navigator.clipboard.readText()), /#sudoku\/9\//, 'link');
  assert.equal(page.url(), link, 'the address is the link');
  const other = await page.context().newPage();
  const wrong = watch(other);
  await other.goto(link);
  await opened(other);
  assert.deepEqual(await played(other), await played(page));
  assert.deepEqual(wrong, []);
  await other.close();
});

scene('sudoku: regions that touch are on different grounds', { hash }, async (page) => {
  await opened(page);
  const modes = await page.locator('#sudoku-mode option').evaluateAll((all) => all.map((one) => one.value));
  let regions = 0;
  for (const mode of modes.filter((name) => name !== 'own')) {
    await page.selectOption('#sudoku-mode', mode);
    await until(() => page.inputValue('#sudoku-mode'), mode, 'mode');
    const cells = await page.evaluate(() => [...document.querySelectorAll('#sudoku-grid [role=row]')].map((row) =>
      [...row.children].map((one) => ({
        region: one.dataset.region, ground: getComputedStyle(one).backgroundColor,
      }))));
    const grounds = new Map();
    cells.forEach((row, r) => row.forEach(({ region, ground }, c) => {
      const where = `${mode}: row ${r + 1}, column ${c + 1}`;
      assert.equal(ground, grounds.get(region) ?? ground, `${where}: a region has one ground`);
      grounds.set(region, ground);
      for (const beside of [row[c + 1], cells[r + 1]?.[c]]) {
        if (beside && beside.region !== region) assert.notEqual(beside.ground, ground, where);
      }
    }));
    regions += grounds.size > 1 ? grounds.size : 0;
  }
  assert.ok(regions > 100, `${regions} regions were looked at`);
});
