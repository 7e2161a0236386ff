/** The Gem Hunter tab: a board of each kind, deduced, explained, edited, marked, saved. Answers are found out anew. */
import assert from 'node:assert/strict';
import { answers, cells, here } from '../gem-board.js';
import { clausesOf, problem, proven, running, saved, says, scene, until } from '../harness.js';

const hash = '#gem';
const report = (page, wanted, patience) => says(page, '#gem-report-text', wanted, patience);
const ready = (page) => page.locator('#gem-grid').waitFor();

/** A board whose corners are certain: the 3 has three neighbours, all traps; the 0 has none. */
const CORNERS = '3, _, _, _\n_, _, _, _\n_, _, _, _\n_, _, _, 0';
/** Two numbers that share all their neighbours and disagree. */
const CONTRADICTION = '1, _, #\n2, _, #\n#, #, #';
/** No number, so nothing is known of any cell. */
const FREE = '_, _\n_, _';

async function paste(page, text) {
  await page.fill('#gem-text', text);
  await page.click('#gem-read');
  await report(page, /^Read /);
}

/** Traps, gems, undecided cells and free ones. */
const EXAMPLE = '_, 2, 1, 1, 1, _, _\n_, 3, _, _, 1, 2, _\n_, _, _, 2, _, 1, _\n_, _, _, _, _, 1, 0';

for (const [name, text] of [['the example', EXAMPLE], ['corners', CORNERS], ['no number', FREE]]) {
  scene(`gem: ${name}: Deduce says what all answers have in common`, { hash }, async (page) => {
    await ready(page);
    await paste(page, text);
    await page.click('#gem-deduce');
    await report(page, /^Certain: /);
    const { unknown, found, touched } = answers(text);
    const rows = text.split('\n');
    const shown = await cells(page, rows.length, rows[0].split(',').length);
    const counts = { trap: 0, gem: 0, undecided: 0, free: 0 };
    unknown.forEach(([r, c], at) => {
      const traps = found.filter((one) => one[at]).length;
      const kind = !touched.has(at) ? 'free' : traps === 0 ? 'gem' : traps === found.length ? 'trap' : 'undecided';
      counts[kind] += 1;
      const { chance, label } = shown[r][c];
      const where = `row ${r + 1}, column ${c + 1}`;
      assert.equal(shown[r][c].kind, kind, where);
      assert.notEqual(chance, '', `${where}: a chance is shown`);
      assert.ok(Math.abs(Number(chance) - traps / found.length) < 1e-9, `${where}: ${chance}`);
      const words = kind === 'undecided' ? `trap with ${(100 * Number(chance)).toFixed(1)} percent` : '';
      assert.ok(label.endsWith(words), label);
    });
    const sentence = await page.textContent('#gem-report-text');
    assert.ok(sentence.startsWith(`Certain: ${counts.trap} trap`), sentence);
    assert.ok(sentence.includes(`Undecided: ${counts.undecided}. Free: ${counts.free}.`), sentence);
    const count = `Answers: ${found.length}.`;
    assert.ok(sentence.replaceAll(',', '').includes(count), `${sentence} By trying: ${count}`);
  });
}

scene('gem: a contradiction is explained by its numbers', { hash }, async (page) => {
  await ready(page);
  await paste(page, CONTRADICTION);
  await page.click('#gem-deduce');
  await until(() => page.getAttribute('#gem-report', 'data-kind'), 'bad', 'the answer');
  const items = await page.locator('#gem-report-list li').allTextContents();
  assert.deepEqual(items.map((item) => item.replace(/:.*/, '')).sort(), ['row 1, column 1', 'row 2, column 1']);
  await page.click('#gem-explain');
  await until(() => page.locator('#gem-report-list li').count(), 2, 'the two numbers');
});

scene('gem: Why names the numbers that decide a cell', { hash }, async (page) => {
  await ready(page);
  await paste(page, CORNERS);
  await page.check('#gem-tool-why', { force: true });
  const box = await page.locator('#gem-grid').boundingBox();
  const size = Number(await page.getAttribute('#gem-grid', 'data-size'));
  await page.mouse.click(box.x + 1.5 * size, box.y + .5 * size);
  await report(page, /trap/);
  assert.equal((await here(page)).column, '2', 'the cell that was clicked');
  const items = await page.locator('#gem-report-list li').allTextContents();
  assert.match(items.join('; '), /^row 1, column 1: (number )?3$/);
  const lit = (await cells(page, 4, 4)).flat().filter((cell) => cell.label.endsWith('part of the reason'));
  assert.deepEqual(lit.map((cell) => [cell.row, cell.column]), [['1', '1']], 'the reason is lit, and nothing else');
});

scene('gem: numbers are typed, traps and gems marked, undone and done again', { hash }, async (page) => {
  await ready(page);
  await page.fill('#gem-rows', '3');
  await page.fill('#gem-columns', '3');
  await page.click('#gem-blank');
  await page.check('#gem-tool-edit', { force: true });
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('3');
  assert.match((await here(page)).content, /^(number )?3$/);
  await page.check('#gem-tool-mark', { force: true });
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('g');
  assert.equal((await here(page)).mark, 'gem');
  await page.click('#gem-check');
  await report(page, /problem|No number/);
  await page.click('#gem-deduce');
  await report(page, /^Certain: 3 traps/);
  assert.equal(await page.getAttribute('#gem-report', 'data-kind'), 'bad', 'the mark is wrong');
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+z');
  assert.notEqual((await here(page)).mark, 'gem');
  await page.keyboard.press('Control+y');
  assert.equal((await here(page)).mark, 'gem');
  await page.keyboard.press('Control+z');
  await page.click('#gem-deduce');
  await report(page, /^Certain: 3 traps/);
  await page.click('#gem-take');
  await page.click('#gem-check');
  await report(page, /No number is contradicted|Solved/);
  await page.click('#gem-clear');
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  assert.notEqual((await here(page)).mark, 'trap');
});

scene('gem: a number of traps in total decides more', { hash }, async (page) => {
  await ready(page);
  await paste(page, FREE);
  await page.fill('#gem-total', '4');
  await page.press('#gem-total', 'Enter');
  await page.click('#gem-deduce');
  await report(page, /^Certain: 4 traps, 0 gems/);
});

scene('gem: New by size, density and seed', { hash }, async (page) => {
  await ready(page);
  const seen = [];
  for (const seed of ['5', '5', '6']) {
    await page.fill('#gem-rows', '8');
    await page.fill('#gem-columns', '12');
    await page.evaluate(() => { document.querySelector('#gem-new-more').open = true; });
    await page.fill('#gem-seed', seed);
    await page.click('#gem-new');
    await report(page, new RegExp(`^A new board of 8 × 12, seed ${seed}`));
    await page.click('#gem-write');
    seen.push(await until(() => page.inputValue('#gem-text'), (text) => text.trim().split('\n').length === 8
      && !seen.includes(text) || seed === '5' && seen.length === 1, 'text'));
    await page.click('#gem-deduce');
    await report(page, /^Certain: /);
    await page.click('#gem-hidden');
    await report(page, /^The answer this board was made from/);
    await page.fill('#gem-text', '');
  }
  assert.notEqual(seen[0], seen[2]);
});

scene('gem: 200 × 200 is made, deduced and scrolled', { hash }, async (page) => {
  await ready(page);
  await page.fill('#gem-rows', '200');
  await page.fill('#gem-columns', '200');
  await page.fill('#gem-limit', '60');
  await page.click('#gem-new');
  await report(page, /^A new board of 200 × 200/, 60000);
  await page.click('#gem-deduce');
  await report(page, /^Certain: [1-9]\d* traps/, 60000);
  const frames = await page.evaluate(() => new Promise((resolve) => {
    const grid = document.querySelector('#gem-grid');
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      grid.scrollTop += 40;
      grid.scrollLeft += 20;
      if (times.length < 40) requestAnimationFrame(step);
      else resolve({ times: times.slice(2), top: grid.scrollTop });
    };
    requestAnimationFrame(step);
  }));
  assert.ok(frames.top > 200, 'it scrolls');
  const slow = frames.times.sort((a, b) => a - b)[Math.floor(frames.times.length * .8)];
  assert.ok(slow < 120, `a frame takes ${slow} ms`);
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+End');
  const last = await here(page);
  assert.deepEqual([last.row, last.column], ['200', '200']);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page stays as it is');
});

scene('gem: text, link and files', { hash }, async (page) => {
  await ready(page);
  await paste(page, EXAMPLE);
  const before = await cells(page, 4, 7);
  await page.fill('#gem-text', '');
  await page.click('#gem-copy');
  const text = await until(() => page.inputValue('#gem-text'), /3/, 'text');
  await until(() => page.evaluate(() => navigator.clipboard.readText()), text, 'clipboard');
  await page.click('#gem-blank');
  await paste(page, text);
  assert.deepEqual((await cells(page, 4, 7)).flat().map((one) => one.content), before.flat().map((one) => one.content));
  await page.click('#gem-link');
  const link = await until(() => page.evaluate(() => navigator.clipboard.readText()), /#gem\//, 'link');
  await page.click('#gem-blank');
  await page.goto('about:blank');
  await page.goto(link);
  await until(() => page.getAttribute('#gem-grid', 'aria-label'), /4 rows of 7/, 'the board');
  assert.deepEqual((await cells(page, 4, 7)).flat().map((one) => one.content), before.flat().map((one) => one.content));
  const dimacs = await saved(page, () => page.click('#gem-dimacs'));
  clausesOf(dimacs.text);
  const proof = await saved(page, () => page.click('#gem-proof'));
  assert.equal(proof.name, 'gem-hunter-proof.tar');
  proven(proof.path, ['solution', 'other'], ['SAT', 'UNSAT']);
  const svg = await saved(page, () => page.click('#gem-svg'));
  assert.match(svg.text, /<svg[^]*<\/svg>\s*$/);
});

scene('gem: wrong input is said, and nothing is lost', { hash, refused: true }, async (page) => {
  await ready(page);
  await paste(page, CORNERS);
  const before = (await cells(page, 4, 4)).flat().map((one) => one.content);
  for (const text of ['3, _\n_', '9, _', 'a board', '']) {
    await page.fill('#gem-text', text);
    await page.click('#gem-read');
    assert.ok((await problem(page)).length > 10);
    assert.equal(await page.inputValue('#gem-text'), text);
    await page.click('#problem-close');
  }
  await page.fill('#gem-rows', '1001');
  await page.click('#gem-new');
  assert.match(await problem(page), /Rows is a whole number from 1 to 1000/);
  await page.click('#problem-close');
  assert.deepEqual((await cells(page, 4, 4)).flat().map((one) => one.content), before);
});

scene('gem: long work is cancelled', { hash }, async (page) => {
  await ready(page);
  const before = await page.getAttribute('#gem-grid', 'aria-label');
  await page.fill('#gem-rows', '200');
  await page.fill('#gem-columns', '200');
  await page.fill('#gem-density', '50');
  await page.fill('#gem-limit', '60');
  await page.click('#gem-new');
  await page.locator('#gem-work').waitFor({ state: 'visible' });
  await page.keyboard.press('Escape');
  await page.locator('#gem-work').waitFor({ state: 'hidden' });
  await until(running, 0, 'questions at work', 5000);
  assert.equal(await page.getAttribute('#gem-grid', 'aria-label'), before, 'nothing is lost');
});
