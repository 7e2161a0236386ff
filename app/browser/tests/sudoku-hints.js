/** Hints in steps: where to look, the technique with its cells, the value; and what singles say of a contradiction. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { board, marked, values } from '../sudoku-board.js';
import { says, scene, until } from '../harness.js';

const report = (page, wanted) => says(page, '#sudoku-report-text', wanted);
const HIDDEN = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
/** Needs locked candidates at once. */
const LOCKED = '.....37.94937..612..76.95.393..7482.2419..357...3.249..69...1.5..2...9.43.4.9.268';
/** Needs a value that singles refute. */
const REFUTED = '.157.9683..71..9549.38.51..1..95823..3.41.59.5.96...41..15843.9.5.396.1.398271465';

async function open(page) {
  await report(page, 'Opened from the address.');
  return values(await board(page));
}

/** Presses Hint until the value is told; the sentences on the way. */
async function hinted(page) {
  const told = [];
  await page.click('#sudoku-hint');
  for (;;) {
    await until(() => page.textContent('#sudoku-report-text'), (text) => text !== '' && text !== told.at(-1)
      && text !== 'Opened from the address.', 'the next step');
    told.push(await page.textContent('#sudoku-report-text'));
    if (await page.locator('#sudoku-take').count()) return told;
    await page.click(told.length % 2 ? '#sudoku-next' : '#sudoku-hint');
  }
}

scene('hints: where to look, the technique, the value', { hash: `#sudoku/9/-/3x3/${HIDDEN}` }, async (page) => {
  const before = await open(page);
  await page.click('#sudoku-hint');
  await report(page, /^Look at (row|column|region) \d(, column \d)?\.$/);
  assert.deepEqual(marked(await board(page), 'hinted'), [], 'not told yet');
  assert.ok(marked(await board(page), 'lit').length > 0);
  await page.click('#sudoku-next');
  await report(page, /^(Hidden|Naked) single/);
  assert.ok(!/ is \d/.test(await page.textContent('#sudoku-report-text')), 'the value is not told yet');
  await page.click('#sudoku-hint');
  await report(page, /^Row \d, column \d is \d: .* Technique: (hidden|naked) single\.$/);
  const [[row, column]] = marked(await board(page), 'hinted');
  assert.equal(before[row][column], 0);
  await page.click('#sudoku-take');
  await until(async () => (await board(page))[row][column].status, 'entered', 'the value');
  // Another board, another hint: it begins anew.
  await page.click('#sudoku-hint');
  await report(page, /^Look at/);
});

for (const [name, puzzle, technique] of [['locked candidates', LOCKED, 'Locked candidate'],
  ['a contradiction', REFUTED, 'Contradiction']]) {
  scene(`hints: ${name} are steps of their own`, { hash: `#sudoku/9/-/3x3/${puzzle}` }, async (page) => {
    const solution = await page.evaluate(async (cells) => {
      const body = JSON.stringify({ sheet: { n: 9, cells } });
      const answer = await fetch('/api/sudoku/solve', { method: 'POST', body,
        headers: { 'Content-Type': 'application/json' } });
      return (await answer.json()).solution;
    }, await open(page));
    const told = await hinted(page);
    assert.ok(told.some((text) => text.startsWith(technique)), told.join('\n'));
    const lost = await page.evaluate(() => [...document.querySelectorAll('#sudoku-grid .lost')].map((span) =>
      [span.closest('[role=gridcell]').id, Number(span.dataset.value)]));
    assert.ok(lost.length > 0, 'values are struck out');
    for (const [id, value] of lost) {
      const [, row, column] = /r(\d)c(\d)/.exec(id).map(Number);
      assert.notEqual(solution[row - 1][column - 1], value, `${id} has ${value} in the solution`);
      assert.match(await page.getAttribute(`#${id}`, 'aria-label'), new RegExp(`ruled out [ 0-9]*${value}`));
    }
    const [[row, column]] = marked(await board(page), 'hinted');
    const [, value] = /is (\d)/.exec(told.at(-1));
    assert.equal(solution[row][column], Number(value));
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id }) => id), []);
    await page.click('#sudoku-take');
    await until(() => page.locator('#sudoku-grid .lost').count(), 0, 'what was struck out');
  });
}

// Row 1 has a 1 where the solution has a 4.
scene('hints: a wrong value is explained by singles', { hash: `#sudoku/9/-/3x3/${HIDDEN}` }, async (page) => {
  await open(page);
  await page.click('#sudoku-r1c3');
  await page.keyboard.press('1');
  await page.click('#sudoku-why');
  await report(page, /Singles lead to a contradiction: (nothing fits row \d, column \d|.* has no place for \d)/);
  assert.ok(await page.locator('#sudoku-report-list li').count() > 1);
  const said = await page.textContent('#sudoku-report');
  assert.match(said, /rule: |Which rules take part was not found out in time/, 'rules are never left out silently');
  assert.ok(marked(await board(page), 'lit').map(String).includes('0,2'), 'the wrong value takes part');
});
