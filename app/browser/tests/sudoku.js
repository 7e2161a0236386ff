/** The Sudoku tab: every button; texts, links and files; refusals. Its modes are in sudoku-modes.js. */
import assert from 'node:assert/strict';
import { assertSolved, board, marked, values } from '../sudoku-board.js';
import { clausesOf, origin, problem, proven, running, saved, says, scene, until, watch } from '../harness.js';

/** A puzzle with exactly two solutions. */
const TWO = '1..3..5..42785.361593.128.....5.47926.27931..7591286348.42.19562.....4.89754..213';
/** No cell of the first row is left for 9: the last one sees a 9 below it. */
const CONTRADICTION = `12345678.${'.'.repeat(7)}9.${'.'.repeat(63)}`;
const UNIQUE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';

const hash = '#sudoku';
const report = (page, wanted, patience) => says(page, '#sudoku-report-text', wanted, patience);
const ready = (page) =>
  until(async () => (await board(page)).flat().some((cell) => cell.value > 0), true, 'an example');

async function paste(page, text) {
  await page.fill('#sudoku-text', text);
  await page.click('#sudoku-read');
  await report(page, /^Read /);
}

scene('sudoku: another solution each time, and then none', { hash }, async (page) => {
  await ready(page);
  await paste(page, TWO);
  await page.click('#sudoku-result');
  await report(page, /^Solution 1 of (exactly|at least) 2/);
  const first = await board(page);
  await page.click('#sudoku-result');
  await report(page, /^Solution 2/);
  const second = await board(page);
  for (const one of [first, second]) assertSolved(one);
  assert.notDeepEqual(values(first), values(second));
  await page.click('#sudoku-result');
  await report(page, /exactly 2 solutions/);
});

scene('sudoku: a unique solution is called so', { hash }, async (page) => {
  await ready(page);
  await paste(page, UNIQUE);
  await page.click('#sudoku-result');
  await report(page, 'Solved. The solution is unique.');
  await page.click('#sudoku-result');
  await report(page, /no other solution/);
  assertSolved(await board(page));
});

scene('sudoku: Check marks and lists every conflict and changes nothing', { hash }, async (page) => {
  await ready(page);
  await paste(page, `11${'.'.repeat(70)}5${'.'.repeat(7)}5`);
  const before = await board(page);
  await page.click('#sudoku-check');
  await report(page, /problems?:$/);
  assert.ok(await page.locator('#sudoku-report-list li').count() >= 2);
  const wrong = marked(await board(page), 'wrong').map(String);
  for (const cell of ['0,0', '0,1', '8,0', '8,8']) assert.ok(wrong.includes(cell), `${cell} is not marked`);
  assert.equal(wrong.length, 4);
  assert.deepEqual(values(await board(page)), values(before));
  assert.equal(await page.getAttribute('#sudoku-r1c1', 'aria-invalid'), 'true');
});

scene('sudoku: Why not lights the givens that contradict', { hash }, async (page) => {
  await ready(page);
  await paste(page, CONTRADICTION);
  await page.click('#sudoku-result');
  await report(page, 'This puzzle has no solution.');
  await page.click('#sudoku-why-now');
  await until(async () => marked(await board(page), 'lit').length, 7, 'the smallest set');
  const lit = marked(await board(page), 'lit').map(String).sort();
  // The 9 keeps 9 out of the last three cells of the first row, and 1 to 6 stand in the others.
  assert.deepEqual(lit, [...Array.from({ length: 6 }, (_, at) => `0,${at}`), '1,7'].sort());
  await paste(page, UNIQUE);
  await page.click('#sudoku-why');
  await report(page, /has a solution/);
});

scene('sudoku: Clear takes answers away, givens stay', { hash }, async (page) => {
  await ready(page);
  await paste(page, UNIQUE);
  const before = await board(page);
  await page.click('#sudoku-result');
  await report(page, /unique/);
  await page.click('#sudoku-clear');
  await report(page, /^Answers and notes cleared/);
  assert.deepEqual(values(await board(page)), values(before));
  await page.click('#sudoku-empty');
  await until(async () => (await board(page)).flat().every((cell) => cell.value === 0), true, 'empty');
  await page.keyboard.press('Control+z');
  await until(async () => values(await board(page)).flat().join(''), values(before).flat().join(''), 'undone by key');
});

scene('sudoku: New by difficulty and seed', { hash }, async (page) => {
  await ready(page);
  const seen = [];
  for (const [difficulty, seed] of [['easy', '7'], ['medium', '7'], ['hard', '9'], ['easy', '7'], ['easy', '8']]) {
    await page.selectOption('#sudoku-difficulty', difficulty);
    await page.evaluate(() => { document.querySelector('#sudoku-new-more').open = true; });
    await page.fill('#sudoku-seed', seed);
    await page.click('#sudoku-new');
    await report(page, new RegExp(`^A new puzzle: .*seed ${seed}`), 60000);
    seen.push(values(await board(page)).flat().join(''));
    await page.click('#sudoku-result');
    await report(page, 'Solved. The solution is unique.');
    assertSolved(await board(page));
  }
  assert.equal(seen[0], seen[3], 'the same seed, the same puzzle');
  assert.notEqual(seen[0], seen[4]);
  const givens = seen.map((puzzle) => puzzle.replaceAll('0', '').length);
  assert.ok(givens[0] > givens[1] && givens[0] > givens[2], `givens: ${givens}`);
});

scene('sudoku: candidates are shown and go with the value', { hash }, async (page) => {
  await ready(page);
  await paste(page, UNIQUE);
  await page.check('#sudoku-candidates');
  const label = () => page.getAttribute('#sudoku-r1c3', 'aria-label');
  await until(label, /candidates 1 2 4/, 'row 1, column 3');
  await page.click('#sudoku-check');
  await report(page, /No rule is broken/);
  await until(label, /candidates 1 2 4/, 'they stay after Check');
  await page.click('#sudoku-r1c3');
  await page.keyboard.press('4');
  await until(() => page.getAttribute('#sudoku-r2c2', 'aria-label'), /candidates 2 7$/, 'row 2, column 2');
  await page.keyboard.press('Delete');
  await page.uncheck('#sudoku-candidates');
  await until(label, /empty, region [A-Z]$/, 'no candidates');
});

scene('sudoku: text in every format, out and in again', { hash }, async (page) => {
  await ready(page);
  await paste(page, UNIQUE);
  const before = values(await board(page));
  const formats = await page.locator('#sudoku-format option').evaluateAll((all) => all.map((one) => one.value));
  assert.ok(formats.length >= 2);
  for (const format of formats) {
    await page.selectOption('#sudoku-format', format);
    await page.fill('#sudoku-text', '');
    await page.click('#sudoku-write');
    const text = await until(() => page.inputValue('#sudoku-text'), (value) => value.length > 40, format);
    await page.click('#sudoku-empty');
    await paste(page, text);
    assert.deepEqual(values(await board(page)), before, format);
  }
  await page.click('#sudoku-copy');
  const text = await page.inputValue('#sudoku-text');
  await until(() => page.evaluate(() => navigator.clipboard.readText()), text, 'clipboard');
});

scene('sudoku: a link opens the same board', { hash }, async (page) => {
  await ready(page);
  for (const mode of ['5', '9', '16']) {
    await page.selectOption('#sudoku-mode', mode);
    await until(() => page.inputValue('#sudoku-mode'), mode, 'mode');
    await page.click('#sudoku-link');
    const link = await until(() => page.evaluate(() => navigator.clipboard.readText()),
      (text) => text.includes(`#sudoku/${mode}/`), 'link');
    const other = await page.context().newPage();
    const wrong = watch(other);
    await other.goto(link);
    await until(async () => values(await board(other)).flat().join(), values(await board(page)).flat().join(), mode);
    const regions = async (one) => (await board(one)).flat().map((cell) => cell.region);
    assert.deepEqual(await regions(other), await regions(page));
    assert.deepEqual(wrong, []);
    await other.close();
  }
});

scene('sudoku: SVG and DIMACS are saved', { hash }, async (page) => {
  await ready(page);
  await paste(page, UNIQUE);
  const svg = await saved(page, () => page.click('#sudoku-svg'));
  assert.match(svg.text, /^(<\?xml[^>]*>\s*)?<svg[^]*<\/svg>\s*$/);
  const digits = await page.evaluate((text) => {
    const drawn = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [...drawn.querySelectorAll('text')].map((one) => one.textContent.trim()).filter((one) => /^\d$/.test(one));
  }, svg.text);
  assert.deepEqual(digits.sort(), [...UNIQUE].filter((sign) => sign !== '.').sort());
  const dimacs = await saved(page, () => page.click('#sudoku-dimacs'));
  assert.ok(clausesOf(dimacs.text).clauses.length > 100);
  const proof = await saved(page, () => page.click('#sudoku-proof'));
  assert.equal(proof.name, 'sudoku-proof.tar');
  proven(proof.path, ['solution', 'other'], ['SAT', 'UNSAT']);
  await until(() => page.textContent('#sudoku-report-text'), /There is a solution, and no other; checked by/, 'words');
});

scene('sudoku: regions of one’s own, drawn with the mouse', { hash }, async (page) => {
  await ready(page);
  await page.selectOption('#sudoku-mode', 'own');
  await page.fill('#sudoku-draw-side', '4');
  await page.selectOption('#sudoku-draw-from', 'nothing');
  await page.click('#sudoku-draw');
  await until(async () => (await board(page)).length, 4, 'side');
  for (let row = 1; row <= 4; row += 1) {
    await page.locator(`label[for=sudoku-brush-${row - 1}]`).click();
    const from = await page.locator(`#sudoku-r${row}c1`).boundingBox();
    const to = await page.locator(`#sudoku-r${row}c4`).boundingBox();
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await page.mouse.up();
  }
  await says(page, '#sudoku-draw-state', /^All 4 regions/);
  await page.click('#sudoku-draw-use');
  await page.click('#sudoku-result');
  await report(page, /^Solution 1/);
  const cells = await board(page);
  assert.equal(new Set(cells[0].map((cell) => cell.region)).size, 1, 'a row is a region');
  assertSolved(cells);
});

scene('sudoku: long work shows progress and is cancelled', { hash }, async (page) => {
  await ready(page);
  await hard(page);
  for (const cancel of [() => page.click('#sudoku-cancel'), () => page.keyboard.press('Escape')]) {
    const before = values(await board(page));
    await page.click('#sudoku-result');
    await page.locator('#sudoku-work').waitFor({ state: 'visible' });
    const since = Date.now();
    await cancel();
    await page.locator('#sudoku-work').waitFor({ state: 'hidden' });
    assert.ok(Date.now() - since < 2000, 'it ends at once');
    assert.deepEqual(values(await board(page)), before, 'nothing is lost');
    await until(running, 0, 'the server works on nothing any more', 5000);
  }
});

scene('sudoku: a request past its limit ends and says so', { hash, refused: true }, async (page) => {
  await ready(page);
  await hard(page);
  await page.fill('#sudoku-limit', '1');
  const since = Date.now();
  await page.click('#sudoku-result');
  assert.match(await problem(page), /time/i);
  assert.ok(Date.now() - since < 4000, `${Date.now() - since} ms`);
  await page.click('#problem-close');
  await page.click('#sudoku-check');
  await report(page, /No rule is broken/);
});

/** A board of side 49 with a value: what no solution is constructed for takes longer than anybody waits. */
async function hard(page) {
  await page.selectOption('#sudoku-mode', 'own');
  await page.fill('#sudoku-draw-side', '49');
  await page.selectOption('#sudoku-draw-from', 'boxes');
  await page.click('#sudoku-draw');
  await page.click('#sudoku-draw-use');
  await until(async () => (await board(page)).length, 49, 'side');
  await page.focus('#sudoku-r1c1');
  await page.keyboard.press('7');
  await page.fill('#sudoku-limit', '60');
}

scene('sudoku: wrong input is said, and nothing is lost', { hash, refused: true }, async (page) => {
  await ready(page);
  await paste(page, UNIQUE);
  const before = values(await board(page));
  for (const text of ['this is no Sudoku', '12', `${UNIQUE}1`, `99${'.'.repeat(78)}x`]) {
    await page.fill('#sudoku-text', text);
    await page.click('#sudoku-read');
    assert.ok((await problem(page)).length > 10);
    assert.deepEqual(values(await board(page)), before);
    assert.equal(await page.inputValue('#sudoku-text'), text, 'the text stays');
    await page.click('#problem-close');
  }
  await page.fill('#sudoku-limit', '0');
  await page.click('#sudoku-result');
  assert.match(await problem(page), /Time limit is a whole number from 1 to 120/);
  await page.click('#problem-close');
  await page.goto(`${origin}/#sudoku/9/-/3x3/nonsense`);
  assert.match(await problem(page), /not a Sudoku/);
});

scene('sudoku: keyboard alone', { hash }, async (page) => {
  await ready(page);
  await page.selectOption('#sudoku-mode', '4');
  await until(async () => (await board(page)).length, 4, 'side');
  const first = (await board(page))[0].findIndex((cell) => cell.value === 0) + 1;
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.role === 'gridcell')) break;
  }
  await page.keyboard.press('Control+Home');
  for (let at = 1; at < first; at += 1) await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), `sudoku-r1c${first}`);
  await page.keyboard.press('3');
  await until(async () => (await board(page))[0][first - 1].value, 3, 'typed');
  await page.keyboard.press('Delete');
  await until(async () => (await board(page))[0][first - 1].value, 0, 'emptied');
  await page.keyboard.press('Control+z');
  await until(async () => (await board(page))[0][first - 1].value, 3, 'undone');
  await page.keyboard.press('Control+z');
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.id === 'sudoku-result')) break;
  }
  await page.keyboard.press('Enter');
  await report(page, /^Sol/);
  assertSolved(await board(page));
});
