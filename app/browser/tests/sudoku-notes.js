/** Notes: values that a player thinks of for a cell, by keyboard and by finger, taken back, handed on and cleared. */
import assert from 'node:assert/strict';
import { origin, says, scene, until, watch } from '../harness.js';

/** Row 1 misses 4, 6, 7, 8, 9, 1 and 2, in this order. */
const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const hash = `#sudoku/9/-/3x3/${PUZZLE}`;
const opened = (page) => says(page, '#sudoku-report-text', 'Opened from the address.');

/** The notes of a cell, as they are seen and as a screen reader says them: both must agree. */
async function notes(page, id) {
  const { seen, said } = await page.locator(id).evaluate((cell) => ({
    seen: [...cell.querySelectorAll('.noted')].map((one) => one.dataset.value).join(' '),
    said: /notes ([\d ]+)/.exec(cell.getAttribute('aria-label'))?.[1] ?? '',
  }));
  assert.equal(seen, said);
  return seen;
}
const noted = (page, id, wanted) => until(() => notes(page, id), wanted, `notes of ${id}`);

scene('sudoku: notes by keyboard, with undo', { hash }, async (page) => {
  await opened(page);
  await page.click('#sudoku-r1c3');
  await page.keyboard.type('n24');
  await noted(page, '#sudoku-r1c3', '2 4');
  assert.equal(await page.locator('#sudoku-enters-notes').isChecked(), true);
  assert.equal(await page.getAttribute('#sudoku-r1c3', 'data-status'), 'empty', 'a note is no value');
  await page.keyboard.type('1');
  await page.keyboard.type('2'); // takes it back
  await noted(page, '#sudoku-r1c3', '1 4');
  for (const wanted of ['1 2 4', '2 4', '2', '']) {
    await page.keyboard.press('Control+z');
    await noted(page, '#sudoku-r1c3', wanted);
  }
  for (const [keys, wanted] of [['Control+y', '2'], ['Control+Shift+z', '2 4'], ['Control+y', '1 2 4']]) {
    await page.keyboard.press(keys);
    await noted(page, '#sudoku-r1c3', wanted);
  }
  // A value hides the notes until it is taken back.
  await page.keyboard.type('n4');
  await until(() => page.textContent('#sudoku-r1c3'), '4', 'a value');
  assert.equal(await notes(page, '#sudoku-r1c3'), '');
  await page.keyboard.press('n');
  await page.keyboard.type('7');
  await says(page, '#toast', /^This cell has a value/);
  await page.keyboard.press('Delete');
  await noted(page, '#sudoku-r1c3', '1 2 4');
  await page.keyboard.press('Delete');
  await noted(page, '#sudoku-r1c3', '');
  await page.click('#sudoku-r1c1');
  await page.keyboard.type('4');
  assert.equal(await notes(page, '#sudoku-r1c1'), '', 'a given has no notes');
});

scene('sudoku: notes by finger', { hash, touch: true, width: 360, height: 740 }, async (page) => {
  await opened(page);
  await page.tap('label[for=sudoku-enters-notes]');
  await page.tap('#sudoku-r1c4');
  for (const value of [6, 2, 9, 2]) await page.tap(`#sudoku-pad-${value}`);
  await noted(page, '#sudoku-r1c4', '6 9');
  assert.equal(await page.getAttribute('#sudoku-pad-6', 'aria-label'), 'Note 6');
  await page.tap('#sudoku-pad-erase');
  await noted(page, '#sudoku-r1c4', '');
  await page.tap('label[for=sudoku-enters-answers]');
  await page.tap('#sudoku-pad-6');
  await until(() => page.getAttribute('#sudoku-r1c4', 'data-status'), 'entered', 'an answer');
});

scene('sudoku: notes beside candidates, in the link, cleared', { hash }, async (page) => {
  await opened(page);
  await page.click('#sudoku-r1c3');
  await page.keyboard.type('n15');
  await page.click('#sudoku-r9c1');
  await page.keyboard.type('3');
  await page.check('#sudoku-candidates');
  await until(() => page.getAttribute('#sudoku-r1c3', 'aria-label'), /candidates 1 2 4, notes 1 5$/, 'both');
  const struck = await page.locator('#sudoku-r1c3 .out').evaluateAll((all) => all.map((one) => one.dataset.value));
  assert.deepEqual(struck, ['5'], 'no candidate: 5 is in the row');
  assert.equal(await page.locator('#sudoku-r1c3 .candidates span').count(), 4, 'each value once');
  await page.click('#sudoku-link');
  const address = await page.evaluate(() => location.href);
  const other = await page.context().newPage();
  const wrong = watch(other);
  await other.goto(address);
  await noted(other, '#sudoku-r1c3', '1 5');
  await noted(other, '#sudoku-r9c1', '3');
  assert.deepEqual(wrong, []);
  for (const damaged of [`${address}.1`, `${address}_2f.1`, `${address}zz`]) {
    await other.goto('about:blank');
    await other.goto(damaged);
    await other.locator('#problem').waitFor({ state: 'visible' });
    assert.match(await other.textContent('#problem-text'), /notes cannot be read/);
  }
  await page.click('#sudoku-clear');
  await noted(page, '#sudoku-r1c3', '');
  await page.click('#sudoku-undo');
  await noted(page, '#sudoku-r1c3', '1 5');
});

scene('sudoku: notes of two digits', { hash: '#sudoku/16/-/4x4/~74' }, async (page) => {
  await opened(page);
  await page.click('#sudoku-r1c1');
  await page.keyboard.type('n12');
  await noted(page, '#sudoku-r1c1', '12');
  await page.keyboard.type(',1,2');
  await noted(page, '#sudoku-r1c1', '1 2 12');
});

scene('sudoku: candidates of an empty 100 × 100 are told, not drawn', { hash: '#sudoku' }, async (page) => {
  let packed = '';
  for (let left = 20000; left > 0; left -= 1295) packed += `~${Math.min(left, 1295).toString(36).padStart(2, '0')}`;
  await page.goto('about:blank');
  await page.goto(`${origin}/#sudoku/100/-/10x10/${packed}`);
  await opened(page);
  await page.check('#sudoku-candidates');
  await says(page, '#sudoku-report-text', /^There are too many candidates to show/);
  assert.match(await page.getAttribute('#sudoku-r50c50', 'aria-label'), /100 candidates/);
  assert.ok(await page.evaluate(() => document.querySelectorAll('*').length) < 20000, 'elements');
});
