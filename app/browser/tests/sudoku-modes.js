/** Every mode of the Sudoku tab: an example checked, hinted, solved and undone. */
import assert from 'node:assert/strict';
import { assertKept, assertSolved, board, marked, values } from '../sudoku-board.js';
import { origin, says, scene, until } from '../harness.js';

const hash = '#sudoku';
const report = (page, wanted, patience) => says(page, '#sudoku-report-text', wanted, patience);
const ready = (page) =>
  until(async () => (await board(page)).flat().some((cell) => cell.value > 0), true, 'an example');

/** The modes of the server, read once before the tests are made. */
const modes = await (async () => {
  const answer = await fetch(`${origin}/api/sudoku/modes`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}',
  });
  return (await answer.json()).modes;
})();

scene('modes: the list of the list', { hash }, async (page) => {
  await ready(page);
  const sides = new Set();
  for (const { name } of modes) {
    await page.selectOption('#sudoku-mode', name);
    await until(async () => (await page.inputValue('#sudoku-mode')), name, 'mode');
    sides.add((await board(page)).length);
  }
  const wanted = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 25];
  assert.deepEqual(wanted.filter((side) => !sides.has(side)), [], 'sides without a mode');
});

for (const mode of modes) {
  const { name } = mode;
  scene(`modes: ${name} checked, hinted, solved, undone`, { hash }, async (page) => {
    await ready(page);
    await page.selectOption('#sudoku-mode', name);
    await until(() => page.inputValue('#sudoku-mode'), name, 'mode');
    const before = await board(page);
    assert.ok(before.flat().some((cell) => cell.status === 'given'), 'an example with givens');
    await page.click('#sudoku-check');
    await report(page, /^No rule is broken/);
    assert.deepEqual(values(await board(page)), values(before), 'Check changes nothing');

    while (await page.locator('#sudoku-take').count() === 0) {
      const told = await page.textContent('#sudoku-report-text');
      await page.click('#sudoku-hint');
      await report(page, (text) => text !== told);
    }
    await report(page, /Technique: [a-z ]+\.$/);
    const [[row, column]] = marked(await board(page), 'hinted');
    assert.equal(before[row][column].value, 0, 'a hint for an empty cell');
    const hinted = Number((await page.textContent('#sudoku-take')).replace('Enter ', ''));
    await page.click('#sudoku-take');
    await until(async () => (await board(page))[row][column].status, 'entered', 'the hint');
    assert.equal((await board(page))[row][column].value, hinted);

    await page.click('#sudoku-result');
    await report(page, /^(Solved|Solution 1)/, 60000);
    const solved = await board(page);
    assertSolved(solved, mode);
    assertKept(before, solved);
    assert.equal(solved[row][column].value, hinted, 'the hint stands in the solution');
    assert.ok(solved.flat().some((cell) => cell.status === 'solved'));
    await page.click('#sudoku-check');
    await report(page, /^Solved: every cell/);

    await page.click('#sudoku-undo');
    await page.click('#sudoku-undo');
    assert.deepEqual(values(await board(page)), values(before), 'undone');
    await page.click('#sudoku-redo');
    assert.equal((await board(page))[row][column].value, hinted, 'done again');
  });
}
