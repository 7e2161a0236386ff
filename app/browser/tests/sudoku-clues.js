/** Cages, thermometers and arrows: made on the board, kept, solved, explained, drawn, and handed on. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { assertSolved, board, values } from '../sudoku-board.js';
import { origin, problem, saved, says, scene, until } from '../harness.js';

const hash = '#sudoku/4/-/2x2/3...............';
/** The only solution of the board of {@link build}. */
const SOLUTION = [[3, 4, 1, 2], [2, 1, 4, 3], [1, 2, 3, 4], [4, 3, 2, 1]];
const label = (page, id) => page.getAttribute(`#sudoku-${id}`, 'aria-label');
const drawn = (page, kind) => page.locator(`.sudoku-clues .clue-${kind}`).count();
/** The numbers of cages, thermometers and arrows on the board. */
const counted = (page) => Promise.all(['cage', 'thermometer', 'arrow'].map((kind) => drawn(page, kind)));
const open = (page) => page.click('#sudoku-clues-box summary');
const report = (page, wanted) => says(page, '#sudoku-report-text', wanted);
const opened = (page) => report(page, 'Opened from the address.');

/** A cage by mouse, a thermometer by keyboard, an arrow by single clicks. */
async function build(page) {
  await open(page);
  const centre = async (id) => {
    const box = await page.locator(`#sudoku-${id}`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await centre('r1c1'));
  await page.mouse.down();
  await page.mouse.move(...await centre('r1c2'), { steps: 4 });
  await page.mouse.up();
  await page.fill('#sudoku-clues-sum', '7');
  await page.click('#sudoku-clues-cage');
  await report(page, 'A cage with sum 7.');
  await page.focus('#sudoku-r3c1');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.focus('#sudoku-clues-thermometer');
  await page.keyboard.press('Enter');
  await report(page, /^A thermometer/);
  await page.click('#sudoku-r3c4');
  for (const id of ['r2c4', 'r1c3']) await page.click(`#sudoku-${id}`, { modifiers: ['Control'] });
  await page.click('#sudoku-clues-arrow');
  await report(page, /^An arrow/);
}

scene('clues: drawn, said, solved, kept over undo and reload', { hash }, async (page) => {
  await opened(page);
  await build(page);
  assert.match(await label(page, 'r1c2'), /cage with sum 7/);
  assert.match(await label(page, 'r3c1'), /bulb of a thermometer/);
  assert.match(await label(page, 'r3c4'), /thermometer, 4 of 4, circle of an arrow/);
  assert.match(await label(page, 'r1c3'), /on an arrow/);
  assert.deepEqual(await counted(page), [1, 1, 1]);
  assert.equal(await page.textContent('.sudoku-clues text'), '7');
  await page.click('#sudoku-result');
  await report(page, 'Solved. The solution is unique.');
  assert.deepEqual(values(await board(page)), SOLUTION);
  assertSolved(await board(page));
  for (let step = 0; step < 2; step += 1) await page.click('#sudoku-undo');
  await until(() => drawn(page, 'arrow'), 0, 'undone');
  await page.click('#sudoku-redo');
  await until(() => drawn(page, 'arrow'), 1, 'done again');
  await page.reload();
  await until(() => drawn(page, 'arrow'), 1, 'kept');
  await page.click('#sudoku-undo');
  await until(() => drawn(page, 'arrow'), 0, 'undone after the reload');
  assert.equal(await drawn(page, 'cage'), 1);
});

scene('clues: by finger', { hash, touch: true, width: 360, height: 740 }, async (page) => {
  await opened(page);
  await open(page);
  await page.tap('label[for=sudoku-several]');
  for (const id of ['r1c1', 'r2c1', 'r1c2', 'r2c1']) await page.tap(`#sudoku-${id}`);
  await page.fill('#sudoku-clues-sum', '7');
  await page.tap('#sudoku-clues-cage');
  await report(page, 'A cage with sum 7.');
  assert.match(await label(page, 'r1c2'), /cage with sum 7/);
  assert.doesNotMatch(await label(page, 'r2c1'), /cage/, 'tapped twice');
  for (const id of ['r3c1', 'r3c2', 'r3c3', 'r3c4']) await page.tap(`#sudoku-${id}`);
  await page.tap('#sudoku-clues-thermometer');
  await report(page, /^A thermometer/);
  assert.match(await label(page, 'r3c4'), /thermometer, 4 of 4/);
  // One press of the pad is for all that are chosen.
  await page.tap('label[for=sudoku-enters-notes]');
  for (const id of ['r4c1', 'r4c2']) await page.tap(`#sudoku-${id}`);
  await page.tap('#sudoku-pad-2');
  for (const id of ['r4c1', 'r4c2']) await until(() => label(page, id), /notes 2/, id);
  await page.tap('label[for=sudoku-several]');
  await page.tap('#sudoku-r4c3');
  await page.tap('#sudoku-pad-1');
  await until(() => label(page, 'r4c3'), /notes 1/, 'one cell again');
  assert.doesNotMatch(await label(page, 'r4c1'), /notes.* 1/);
});

for (const dark of [false, true]) {
  scene(`clues: nothing for axe to say, ${dark ? 'dark' : 'light'}`, { hash, dark }, async (page) => {
    await opened(page);
    await build(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
  });
}

scene('clues: hints name them, and lead to the solution', { hash }, async (page) => {
  await opened(page);
  await build(page);
  await page.click('#sudoku-hint');
  const texts = [await report(page, /./)];
  for (;;) {
    const take = page.locator('#sudoku-take');
    if (await take.count()) {
      await take.click();
      if (values(await board(page)).flat().every((value) => value > 0)) break;
      await page.click('#sudoku-hint');
    } else await page.click('#sudoku-next');
    texts.push(await report(page, (text) => text !== '' && text !== texts.at(-1)));
  }
  assert.ok(texts.some((text) => /the (cage|thermometer|arrow) /.test(text)), texts.join('\n'));
  assert.deepEqual(values(await board(page)), SOLUTION);
});

scene('clues: a wrong value is found, and why', { hash }, async (page) => {
  await opened(page);
  await build(page);
  await page.click('#sudoku-r3c2');
  await page.keyboard.press('4');
  await page.click('#sudoku-check');
  await report(page, 'One problem:');
  assert.match(await page.textContent('#sudoku-report-list'), /the thermometer from row 3, column 1 cannot hold 4/);
  await page.click('#sudoku-why');
  await report(page, /There is no solution/);
  assert.match(await page.textContent('#sudoku-report-list'), /row 3, column 2: 4/);
  assert.match(await page.textContent('#sudoku-report-list'), /rule: the thermometer/);
});

scene('clues: a link and the format of others hold them, pictures show them', { hash }, async (page) => {
  await opened(page);
  await build(page);
  await page.click('#sudoku-link');
  const link = await until(() => page.evaluate(() => navigator.clipboard.readText()), /#sudoku\/4/, 'the link');
  const other = await page.context().newPage();
  await other.goto(link);
  await until(() => drawn(other, 'arrow'), 1, 'the link opened');
  assert.deepEqual(await label(other, 'r3c4'), await label(page, 'r3c4'));
  await other.close();
  await page.selectOption('#sudoku-format', 'f-puzzles');
  await page.click('#sudoku-write');
  const address = /^https:\/\/www\.f-puzzles\.com\/\?load=/;
  const text = await until(() => page.inputValue('#sudoku-text'), address, 'the text');
  await page.goto('about:blank');
  await page.goto(`${origin}/${hash}`);
  await opened(page);
  assert.equal(await drawn(page, 'cage'), 0);
  await page.fill('#sudoku-text', text);
  await page.click('#sudoku-read');
  await until(() => drawn(page, 'cage'), 1, 'read again');
  assert.match(await label(page, 'r3c4'), /circle of an arrow/);
  const { text: svg } = await saved(page, () => page.click('#sudoku-svg'));
  assert.match(svg, /Clues: the cage with sum 7 at row 1, column 1; the thermometer/);
});

scene('clues: a puzzle of another site is read with its rules in words', { hash, refused: true }, async (page) => {
  await opened(page);
  const row = [{}, {}, {}, {}];
  const puzzle = {
    size: 4, title: 'Four', author: 'nobody', ruleset: 'Lines mean\nnothing.', grid: [row, row, row, row],
    thermometer: [{ lines: [['R1C1', 'R2C1']] }], line: [{ lines: [['R1C1', 'R4C4']] }],
  };
  await page.fill('#sudoku-text', JSON.stringify(puzzle));
  await page.click('#sudoku-read');
  await report(page, 'Read 4 × 4, format: f-puzzles.');
  const words = '“Four” by nobody: Lines mean nothing. (Drawings that are not on the board: 1 × line.)';
  const list = await page.locator('#sudoku-report-list li').allTextContents();
  assert.deepEqual(list, [words, 'Rules that are only in these words are not on the board.']);
  assert.deepEqual(await counted(page), [0, 1, 0]);
  await page.fill('#sudoku-text', 'https://sudokupad.app/abc123');
  await page.click('#sudoku-read');
  assert.match(await problem(page), /no puzzle in it, only the name .*sudokupad\.app\/api\/puzzle\/abc123 shows/);
});

scene('clues: what cannot be is said, and clues are taken away', { hash, refused: true }, async (page) => {
  await opened(page);
  await build(page);
  const shown = async (wanted) => {
    assert.match(await problem(page), wanted);
    await page.click('#problem-close');
  };
  await page.click('#sudoku-r4c1');
  await page.click('#sudoku-clues-thermometer');
  await shown(/A thermometer on this board has 2 to 4 cells; one is chosen/);
  await page.keyboard.press('Escape');
  await page.click('#sudoku-r4c1');
  await page.fill('#sudoku-clues-sum', '9');
  await page.click('#sudoku-clues-cage');
  await shown(/The sum of one cell is a whole number from 1 to 4/);
  await page.click('#sudoku-new');
  await shown(/no answer for boards with cages/);
  await page.click('#sudoku-r3c4');
  await page.click('#sudoku-clues-remove');
  await report(page, '2 clues taken away.');
  assert.deepEqual(await counted(page), [1, 0, 0]);
  await page.goto('about:blank');
  await page.goto(`${origin}/${hash}/~0g//k9.0.1`);
  await shown(/its cages, thermometers and arrows cannot be read/);
});
