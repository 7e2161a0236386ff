/** What stays in the browser: boards and their undo over a reload; and new ones that are not always the same. */
import assert from 'node:assert/strict';
import { board, values } from '../sudoku-board.js';
import { origin, says, scene, until } from '../harness.js';

const flat = async (page) => values(await board(page)).flat().join('');
const ready = (page) =>
  until(async () => (await board(page)).flat().some((cell) => cell.value > 0), true, 'an example');

scene('kept: a Sudoku with its notes, its kind and its undo over a reload', { hash: '#sudoku' }, async (page) => {
  await ready(page);
  await page.selectOption('#sudoku-mode', 'jigsaw-9');
  await page.selectOption('#sudoku-difficulty', 'easy');
  await page.click('#sudoku-new');
  await says(page, '#sudoku-report-text', /^A new puzzle/, 60000);
  const puzzle = await flat(page);
  const cell = page.locator('#sudoku-grid [data-status=empty]').first();
  await cell.focus();
  const id = await cell.getAttribute('id');
  await page.keyboard.type('n12');
  await page.keyboard.type('n5');
  const before = [await flat(page), (await board(page)).flat().map(({ status, region }) => [status, region])];
  await page.reload(); // at once: what is not written yet is written when the page goes
  await until(() => flat(page), before[0], 'the values');
  assert.deepEqual((await board(page)).flat().map(({ status, region }) => [status, region]), before[1]);
  await until(() => page.inputValue('#sudoku-mode'), 'jigsaw-9', 'the kind');
  await page.click('#sudoku-undo');
  await until(() => page.getAttribute(`#${id}`, 'aria-label'), /notes 1 2/, 'undone: the notes');
  await page.reload();
  await until(() => page.getAttribute(`#${id}`, 'aria-label'), /notes 1 2/, 'the notes again');
  await page.click('#sudoku-redo');
  await until(() => flat(page), before[0], 'done again');
  for (let step = 0; step < 3; step += 1) await page.click('#sudoku-undo');
  await until(() => flat(page), puzzle, 'the puzzle');
  // What was solved is told apart from what was entered, also later.
  await page.click('#sudoku-result');
  await until(async () => (await board(page)).flat().filter((one) => one.status === 'solved').length, (n) => n > 9);
  const solved = (await board(page)).flat().map((one) => one.status);
  await page.reload();
  await until(() => flat(page), (text) => /^[1-9]{81}$/.test(text), 'the solution');
  assert.deepEqual((await board(page)).flat().map((one) => one.status), solved);
});

scene('kept: a link is opened once, and a reload keeps what came of it', {}, async (page) => {
  await ready(page);
  await page.goto('about:blank'); // an address that differs in its hash alone loads nothing
  await page.goto(`${origin}/#sudoku/4/-/2x2/1...............`);
  await until(() => flat(page), `1${'0'.repeat(15)}`, 'the link');
  await page.focus('#sudoku-r4c4');
  await page.keyboard.press('2');
  await page.reload();
  await until(() => flat(page), `1${'0'.repeat(14)}2`, 'kept');
  const other = await page.context().newPage();
  await other.goto(`${origin}/#sudoku/4/-/2x2/3...............`);
  await until(() => flat(other), `3${'0'.repeat(15)}`, 'another link in another window');
  await page.reload();
  await until(() => flat(page), `1${'0'.repeat(14)}2`, 'each window has its own');
  await other.close();
});

scene('kept: what cannot be read is left out without a word', { hash: '#sudoku' }, async (page) => {
  await ready(page);
  const first = await flat(page);
  for (const text of ['{', 'null', '{"now":"9/-/3x3/nonsense","past":[],"future":[]}', '{"now":5}']) {
    await page.evaluate((kept) => {
      addEventListener('pagehide', () => {
        sessionStorage.setItem('cnfkit-sudoku', kept);
        localStorage.setItem('cnfkit-sudoku', kept);
      });
    }, text);
    await page.reload();
    await until(() => flat(page), first, `the example after ${text}`);
    assert.equal(await page.locator('#problem').isVisible(), false);
  }
});

scene('kept: a Gem Hunter board with its marks and its undo over a reload', { hash: '#gem' }, async (page) => {
  await page.fill('#gem-text', '1, _, _\n_, _, 2');
  await page.click('#gem-read');
  await says(page, '#gem-report-text', /^Read /);
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('t');
  await page.fill('#gem-total', '2');
  await page.press('#gem-total', 'Enter');
  await page.reload();
  await until(() => page.inputValue('#gem-total'), '2', 'the total');
  const label = () => page.getAttribute('#gem-cell', 'aria-label');
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await until(label, /mark/i, 'the mark');
  await page.click('#gem-undo');
  await page.click('#gem-undo');
  await page.focus('#gem-grid');
  await until(label, (text) => !/mark/i.test(text), 'undone');
});

scene('kept: New is another one each time, and a seed brings one back', { hash: '#sudoku' }, async (page) => {
  await ready(page);
  const told = [];
  const create = async () => {
    await page.click('#sudoku-new');
    const text = await says(page, '#sudoku-report-text', (now) => /^A new puzzle/.test(now) && !told.includes(now));
    told.push(text);
    return [/seed (\d+)/.exec(text)[1], await flat(page)];
  };
  await page.selectOption('#sudoku-difficulty', 'easy');
  const [one, two] = [await create(), await create()];
  assert.notEqual(one[0], two[0]);
  assert.notEqual(one[1], two[1]);
  await page.click('#sudoku-new-more summary');
  await page.fill('#sudoku-seed', one[0]);
  told.length = 0;
  await page.click('#sudoku-new');
  await until(() => flat(page), one[1], 'the same seed, the same puzzle');
});

scene('kept: a new Gem Hunter board has the total that it announces', { hash: '#gem' }, async (page) => {
  const seeds = [];
  for (let round = 0; round < 2; round += 1) {
    await page.click('#gem-new');
    const text = await says(page, '#gem-report-text',
      (now) => /^A new board/.test(now) && !seeds.some((seed) => now.includes(`seed ${seed}.`)));
    const [, seed, total] = /seed (\d+)\. (\d+) traps?/.exec(text);
    seeds.push(seed);
    assert.equal(await page.inputValue('#gem-total'), total);
  }
  assert.notEqual(seeds[0], seeds[1]);
});
