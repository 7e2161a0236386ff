/** The Model tab: each model solved and drawn, its numbers changed; what is drawn is looked at, not believed. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { origin, problem, running, says, scene, until } from '../harness.js';

const hash = '#model';
const NONE = /^There is no solution/;

const { models } = await (await fetch(`${origin}/api/model/list`, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}',
})).json();

/** Shows a model and waits until its first solution is drawn. */
async function choose(page, name) {
  await page.locator('#model-figures td').first().waitFor();
  await page.check(`#model-name-${name}`, { force: true });
  await page.locator(`[id^="model-${name}-"]`).first().waitFor();
  await solved(page);
}

const solved = (page, wanted = /^Solved/) => says(page, '#model-text', wanted, 30000);

/** Fills fields, solves, and waits for the answer to this question. */
async function solve(page, name, values, wanted) {
  for (const [field, value] of Object.entries(values)) await page.fill(`#model-${name}-${field}`, value);
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/model/solve'));
  await page.click('#model-solve');
  await (await answered).finished();
  await solved(page, wanted);
}

const described = (page) => page.textContent('#model-picture svg desc');
const table = (page) => page.evaluate(() => [...document.querySelectorAll('#model-picture tr')].map((row) =>
  [...row.cells].map((cell) => cell.textContent)));

/** The cells of the nonogram as they are painted, by their places. */
const painted = (page) => page.evaluate(() => {
  const cells = [...document.querySelectorAll('#model-picture rect')].map((cell) => ({
    x: Number(cell.getAttribute('x')), y: Number(cell.getAttribute('y')),
    sign: cell.classList.contains('model-filled') ? '█' : '·',
  }));
  const places = (axis) => [...new Set(cells.map((cell) => cell[axis]))].sort((a, b) => a - b);
  return places('y').map((y) => places('x').map((x) => {
    const here = cells.filter((cell) => cell.x === x && cell.y === y);
    return here.length === 1 ? here[0].sign : '?';
  }));
});

for (const model of models) {
  scene(`model: ${model.name} is solved, drawn and counted`, { hash }, async (page) => {
    await choose(page, model.name);
    assert.ok(await page.locator('#model-picture').locator('svg, table').count() >= 1, 'a picture');
    const figures = await page.locator('#model-figures td').allTextContents();
    assert.equal(figures.length, 4);
    assert.match(figures[0], /^[\d,]+$/);
    assert.match(figures[3], /ms$/);
    const source = await page.textContent('.model-source');
    assert.match(source, /Model::new\(\)/);
    await page.click('#model-copy');
    await until(() => page.evaluate(() => navigator.clipboard.readText()), source, 'clipboard');
  });
}

scene('model: no queen attacks another', { hash }, async (page) => {
  await choose(page, 'queens');
  for (const n of [8, 1, 15]) {
    await solve(page, 'queens', { n: String(n) });
    const places = (await described(page)).matchAll(/row (\d+) column (\d+)/g);
    const queens = [...places].map(([, r, c]) => [Number(r), Number(c)]);
    assert.equal(queens.length, n);
    assert.equal(await page.locator('#model-picture .model-queen').count(), n);
    for (const lines of [([r]) => r, ([, c]) => c, ([r, c]) => r + c, ([r, c]) => r - c]) {
      assert.equal(new Set(queens.map(lines)).size, n);
    }
  }
  await solve(page, 'queens', { n: '3' }, NONE);
  assert.equal(await page.locator('#model-picture svg').count(), 0, 'nothing is drawn');
});

scene('model: neighbours on the map differ', { hash }, async (page) => {
  await choose(page, 'map');
  const text = await described(page);
  const colours = new Map([...text.matchAll(/(\w+): colour (\d+)/g)].map(([, name, colour]) => [name, Number(colour)]));
  const borders = [...text.split('Lines join neighbours: ')[1].matchAll(/(\w+) and (\w+)/g)];
  assert.equal(colours.size, 7);
  assert.equal(borders.length, 9);
  for (const [, a, b] of borders) assert.notEqual(colours.get(a), colours.get(b), `${a} and ${b}`);
  assert.ok(Math.max(...colours.values()) <= 3);
  await solve(page, 'map', { colours: '2' }, NONE);
});

scene('model: the nonogram has the runs that it was given', { hash }, async (page) => {
  await choose(page, 'nonogram');
  const rows = [...(await described(page)).matchAll(/Row \d+: ([█·]+)/g)].map(([, line]) => [...line]);
  assert.deepEqual(await painted(page), rows, 'the picture is what its description says');
  const clues = async (name) => (await page.inputValue(`#model-nonogram-${name}`)).trim().split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number).filter(Boolean));
  const runs = (line) => line.join('').split('·').map((run) => run.length).filter(Boolean);
  assert.deepEqual(rows.map(runs), await clues('rows'));
  const columns = rows[0].map((_, at) => rows.map((row) => row[at]));
  assert.deepEqual(columns.map(runs), await clues('columns'));
  await solve(page, 'nonogram', { rows: '2\n2', columns: '1\n1' }, NONE);
});

scene('model: every line of the magic square has the same sum', { hash }, async (page) => {
  await choose(page, 'magic-square');
  for (const n of [3, 5]) {
    await solve(page, 'magic-square', { n: String(n) });
    const cells = (await table(page)).map((row) => row.map(Number));
    assert.deepEqual(cells.flat().sort((a, b) => a - b), Array.from({ length: n * n }, (_, at) => at + 1));
    const lines = [...cells, ...cells.map((_, at) => cells.map((row) => row[at])),
      cells.map((row, at) => row[at]), cells.map((row, at) => row[n - 1 - at])];
    for (const line of lines) assert.equal(line.reduce((a, b) => a + b), n * (n * n + 1) / 2);
  }
  await solve(page, 'magic-square', { n: '2' }, NONE);
});

scene('model: the Sudoku keeps its givens', { hash }, async (page) => {
  await choose(page, 'sudoku');
  const givens = (await page.inputValue('#model-sudoku-givens')).trim().split('\n');
  const cells = await table(page);
  const all = '123456789';
  for (let at = 0; at < 9; at += 1) {
    assert.equal([...cells[at]].sort().join(''), all);
    assert.equal(cells.map((row) => row[at]).sort().join(''), all);
    const [top, left] = [3 * Math.floor(at / 3), 3 * (at % 3)];
    assert.equal(cells.slice(top, top + 3).flatMap((row) => row.slice(left, left + 3)).sort().join(''), all);
  }
  givens.forEach((line, r) => [...line].forEach((sign, c) => assert.ok(sign === '.' || sign === cells[r][c])));
});

scene('model: the sum of words is right', { hash }, async (page) => {
  await choose(page, 'cryptarithm');
  const [letters, digits] = await table(page);
  assert.equal(new Set(digits).size, letters.length);
  const number = (word) => Number([...word].map((letter) => digits[letters.indexOf(letter)]).join(''));
  assert.equal(number('SEND') + number('MORE'), number('MONEY'));
  await solve(page, 'cryptarithm', { sum: 'A + A = A' }, NONE);
});

scene('model: nothing in the knapsack could be worth more', { hash }, async (page) => {
  await choose(page, 'knapsack');
  const things = (await page.inputValue('#model-knapsack-things')).trim().split('\n').map((line) => line.split(/\s+/));
  const most = Number(await page.inputValue('#model-knapsack-most'));
  let best = 0;
  for (let choice = 0; choice < 2 ** things.length; choice += 1) {
    const taken = things.filter((_, at) => (choice >> at) & 1);
    const sum = (column) => taken.reduce((all, thing) => all + Number(thing[column]), 0);
    if (sum(1) <= most) best = Math.max(best, sum(2));
  }
  const taken = await table(page);
  assert.equal(taken.reduce((all, row) => all + Number(row[2]), 0), best);
  assert.ok(taken.reduce((all, row) => all + Number(row[1]), 0) <= most);
});

scene('model: wrong input is said, and nothing is lost', { hash, refused: true }, async (page) => {
  await choose(page, 'queens');
  await page.fill('#model-queens-n', '1000');
  await page.click('#model-solve');
  assert.match(await problem(page), /whole number from 1 to/);
  assert.equal(await page.locator('#model-picture .model-queen').count(), 8, 'the solution stays');
  await page.click('#problem-close');
  await choose(page, 'map');
  await page.fill('#model-map-borders', 'WA: \nthis is : : no map 1 2 3 4');
  await page.click('#model-solve');
  assert.ok((await problem(page)).length > 10);
  assert.equal(await page.getAttribute('#model-map-borders', 'aria-invalid'), 'true');
  assert.match(await page.inputValue('#model-map-borders'), /no map/);
});

scene('model: long work is cancelled', { hash }, async (page) => {
  await choose(page, 'magic-square');
  await page.evaluate(() => { document.querySelector('#model details').open = true; });
  await page.fill('#model-limit', '60');
  await page.fill('#model-magic-square-n', '7');
  await page.click('#model-solve');
  await page.locator('#model-work').waitFor({ state: 'visible' });
  await page.keyboard.press('Escape');
  await page.locator('#model-work').waitFor({ state: 'hidden' });
  await until(running, 0, 'questions at work', 5000);
});

const out = (page) => page.textContent('#model-text-out');
const said = (page, wanted) => says(page, '#model-text-said', wanted, 30000);

async function own(page) {
  await solved(page);
  await page.check('#model-name-own', { force: true });
  await page.locator('#model-text-area').waitFor();
}

scene('model: a text is solved, once, in all ways and best, and kept', { hash }, async (page) => {
  await own(page);
  assert.match(await page.inputValue('#model-text-area'), /int_ne\(wa, nt\)/);
  await page.click('#model-text-solve');
  await said(page, 'A solution; there may be others.');
  await page.check('#model-text-all');
  await page.click('#model-text-solve');
  await said(page, 'All 6 solutions.');
  const solutions = (await out(page)).split('\n----------\n');
  assert.equal(new Set(solutions).size, 6);
  for (const solution of solutions) {
    const colour = (name) => new RegExp(`^${name} = (\\d);`, 'm').exec(solution)[1];
    for (const [one, other] of [['wa', 'nt'], ['sa', 'v'], ['q', 'nsw']]) assert.notEqual(colour(one), colour(other));
  }
  await page.selectOption('#model-text-example', 'coins');
  await page.focus('#model-text-area');
  await page.keyboard.press('Control+Enter');
  await said(page, /^The best solution: \d+, and that is proved\.$/);
  assert.match(await out(page), /coins = array1d\(1\.\.5, \[/);
  await page.focus('#model-text-area');
  await page.keyboard.press('Control+z');
  await until(() => page.inputValue('#model-text-area'), /int_ne\(wa, nt\)/, 'the text before');
  await page.fill('#model-text-area', 'var 3..4: mine :: output_var;\nsolve satisfy;');
  await page.reload();
  await own(page);
  assert.match(await page.inputValue('#model-text-area'), /^var 3\.\.4: mine/);
});

scene('model: arrays of a text are drawn as tables', { hash }, async (page) => {
  await own(page);
  await page.selectOption('#model-text-example', 'square');
  await page.check('#model-text-all');
  await page.click('#model-text-solve');
  await said(page, 'All 8 solutions.');
  const rows = await page.evaluate(() => [...document.querySelectorAll('#model-text-picture tr')].map((row) =>
    [...row.cells].map((cell) => Number(cell.textContent))));
  assert.deepEqual(rows.map((row) => row.reduce((a, b) => a + b)), [15, 15, 15]);
  assert.deepEqual(rows.flat().sort(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await page.selectOption('#model-text-example', 'map');
  assert.equal(await page.locator('#model-text-picture table').count(), 0);
});

scene('model: a mistake is shown at its place', { hash, refused: true }, async (page) => {
  await own(page);
  await page.fill('#model-text-area', 'var 1..3: x;\n% é 𝒳\nconstraint int_ne(x, missing);\nsolve satisfy;\n');
  await page.click('#model-text-solve');
  await said(page, /^Line 3, column 22: no `missing` is declared/);
  assert.equal(await page.getAttribute('#model-text-area', 'aria-invalid'), 'true');
  assert.equal(await page.textContent('.model-numbers .bad-line'), '3\n');
  const selected = () => page.evaluate(() => {
    const area = document.activeElement;
    return area.value.slice(area.selectionStart, area.selectionEnd);
  });
  assert.equal(await selected(), 'missing');
  await page.keyboard.type('2');
  assert.equal(await page.locator('.model-numbers .bad-line').count(), 0);
  await page.click('#model-text-solve');
  await said(page, 'A solution; there may be others.');
});

scene('model: work on a text is cancelled', { hash, refused: true }, async (page) => {
  await own(page);
  const names = Array.from({ length: 15 }, (_, at) => `x${at}`);
  const pairs = names.flatMap((one, at) => names.slice(0, at).map((other) => `constraint int_ne(${one}, ${other});`));
  const text = [...names.map((name) => `var 1..14: ${name};`), ...pairs, 'solve satisfy;'].join('\n');
  await page.fill('#model-text-area', text);
  await page.click('#model-text-solve');
  await page.locator('#model-work').waitFor({ state: 'visible' });
  await page.keyboard.press('Escape');
  await page.locator('#model-work').waitFor({ state: 'hidden' });
  await until(running, 0, 'questions at work', 5000);
});

for (const [width, dark] of [[1280, false], [390, true]]) {
  scene(`model: nothing for axe to say about the editor, ${width} wide`, { hash, width, dark }, async (page) => {
    await own(page);
    await page.click('#model-text-solve');
    await said(page, /solution/);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
  });
}
