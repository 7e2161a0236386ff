/** The Encodings tab: its table, plot, clauses, drawing and DIMACS say the same, and what they say is so. */
import assert from 'node:assert/strict';
import { clausesOf, problem, saved, says, scene, until } from '../harness.js';

const hash = '#encodings';
const ready = (page) => page.locator('.enc-sizes tbody tr').first().waitFor();

/** The table as objects by the names of its columns. */
const table = (page) => page.evaluate(() => [...document.querySelectorAll('.enc-sizes tbody tr')].map((row) => ({
  name: row.querySelector('.enc-name').textContent,
  cells: [...row.querySelectorAll('td')].map((cell) => cell.firstChild?.textContent ?? ''),
})));
const numberOf = (text) => Number(text.replaceAll(',', ''));

/** The clauses that the list shows, as the names of their literals. */
const listed = (page) => page.evaluate(() => [...document.querySelectorAll('.enc-clause')].map((row) =>
  [...row.querySelectorAll('.enc-lit')].map((cell) => cell.textContent)));

/** Whether the clauses can be satisfied with these values of x1, x2, …; by trying, with unit propagation. */
function satisfiable(clauses, values) {
  let rest = clauses;
  for (;;) {
    rest = rest.filter((clause) => !clause.some((lit) => values.get(lit)))
      .map((clause) => clause.filter((lit) => !values.has(lit)));
    if (rest.some((clause) => clause.length === 0)) return false;
    const unit = rest.find((clause) => clause.length === 1);
    if (!unit) break;
    put(values, unit[0], true);
  }
  if (!rest.length) return true;
  const lit = rest[0][0];
  return [true, false].some((value) => satisfiable(rest, put(new Map(values), lit, value)));
}

const negated = (lit) => (lit.startsWith('¬') ? lit.slice(1) : `¬${lit}`);
const put = (values, lit, value) => values.set(lit, value).set(negated(lit), !value);

/** Looks whether the clauses of the list mean the rule: for each choice of the inputs. */
function means(clauses, n, holds, weights = new Array(n).fill(1)) {
  for (let choice = 0; choice < 2 ** n; choice += 1) {
    const values = new Map();
    let count = 0;
    for (let at = 0; at < n; at += 1) {
      const on = Boolean(choice >> at & 1);
      put(values, `x${at + 1}`, on);
      count += on ? weights[at] : 0;
    }
    assert.equal(satisfiable(clauses, values), holds(count), `inputs ${choice.toString(2)}`);
  }
}

async function rule(page, relation, k, n) {
  await page.selectOption('#enc-relation', relation);
  await page.fill('#enc-k', k);
  await page.fill('#enc-n', n);
}

scene('encodings: a first picture without any click', { hash }, async (page) => {
  await ready(page);
  const rows = await table(page);
  assert.ok(rows.length >= 5);
  const pairs = rows.find((row) => row.name === 'card:combinatorial');
  // At most 2 of 8 without auxiliaries: one clause for each of the 56 triples.
  assert.deepEqual(pairs.cells.slice(0, 3), ['0', '56', '168']);
  assert.ok(rows.every((row) => /^(not )?GAC$/.test(row.cells[3])), 'each has a strength');
  assert.ok(rows.every((row) => /µs|ms|s$/.test(row.cells[4])), 'each has a time');
  await page.locator('.enc-plot').waitFor();
  assert.equal(await page.locator('.enc-plot .enc-curve').count(), rows.length);
  await page.locator('.enc-structure').waitFor();
  assert.ok((await listed(page)).length > 10);
});

scene('encodings: the table follows the rule and sorts', { hash }, async (page) => {
  await ready(page);
  await rule(page, 'at_most', '1', '12');
  const pairs = async () => (await table(page)).find((row) => row.name === 'amo:pairwise')?.cells[1];
  await until(pairs, '66', 'pairs of 12');
  const clauses = (await table(page)).map((row) => numberOf(row.cells[1]));
  assert.deepEqual(clauses, [...clauses].sort((a, b) => a - b), 'sorted by clauses');
  await page.getByRole('button', { name: 'Encoding', exact: true }).click();
  const names = (await table(page)).map((row) => row.name);
  assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
  await page.getByRole('button', { name: 'Exactly half of 10' }).click();
  await says(page, '.enc-sizes caption', /exactly n\/2 of 10/);
  assert.ok((await table(page)).every((row) => /^(card|pb):/.test(row.name)), 'none of at most one');
});

scene('encodings: choosing encodings by checkbox', { hash }, async (page) => {
  await ready(page);
  const before = (await table(page)).length;
  await page.locator('.enc-choice summary').click();
  await page.getByRole('checkbox', { name: /^card:sequential/ }).uncheck();
  await until(async () => (await table(page)).length, before - 1, 'rows');
  const pairwise = page.getByRole('checkbox', { name: /^amo:pairwise/ });
  assert.equal(await pairwise.isDisabled(), true, 'at most one is for k = 1');
  await page.fill('#enc-k', '1');
  await until(async () => (await table(page)).some((row) => row.name === 'amo:pairwise'), true, 'pairwise');
  assert.equal(await pairwise.isDisabled(), false);
});

scene('encodings: the plot is over n or k, and its table has the numbers', { hash }, async (page) => {
  await ready(page);
  await page.selectOption('#enc-most', '64');
  await page.getByText('The same numbers as a table').click();
  const cell = (place, name) => page.evaluate(([at, encoding]) => {
    const table = document.querySelector('.enc-numbers');
    const column = [...table.querySelectorAll('thead th')].findIndex((head) => head.textContent === encoding);
    const row = [...table.querySelectorAll('tbody tr')].find((one) => one.firstChild.textContent === at);
    return row?.children[column]?.textContent ?? null;
  }, [place, name]);
  await until(() => cell('64', 'card:combinatorial'), '41,664', 'C(64, 3)');
  await page.selectOption('#enc-over', 'k');
  await until(() => cell('3', 'card:combinatorial'), '70', 'C(8, 4)');
  await page.selectOption('#enc-measure', 'variables');
  await until(() => cell('3', 'card:combinatorial'), '0', 'no auxiliaries');
  assert.match(await page.locator('.enc-plot title').textContent(), /auxiliary variables of at most k of 8/i);
  const box = await page.locator('.enc-plot').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await says(page, '.enc-value', /^k = \d/);
  const looks = await page.evaluate(() => [...document.querySelectorAll('.enc-curve')].map((curve) => ({
    dash: curve.querySelector('.enc-line').getAttribute('stroke-dasharray'),
    marker: curve.querySelector('.enc-marker').getAttribute('d'),
    colour: getComputedStyle(curve).color,
  })));
  assert.ok(looks.length >= 5);
  for (const what of ['dash', 'marker', 'colour']) {
    assert.equal(new Set(looks.map((look) => look[what])).size, looks.length, `lines differ by ${what}`);
  }
});

for (const [relation, k, holds] of [['at_most', '2', (c) => c <= 2], ['at_least', '3', (c) => c >= 3],
  ['exactly', '2', (c) => c === 2], ['at_most', '1', (c) => c <= 1]]) {
  scene(`encodings: the clauses mean ${relation} ${k} of 6`, { hash }, async (page) => {
    await ready(page);
    await rule(page, relation, k, '6');
    await says(page, '.enc-sizes caption', new RegExp(`${relation.replace('_', ' ')} ${k} of 6,`));
    await says(page, '.enc-summary', /of 6: /i);
    const names = await page.locator('#enc-inside-encoding option').allTextContents();
    assert.ok(names.length >= 5);
    for (const name of names) {
      await page.selectOption('#enc-inside-encoding', name);
      const row = (await table(page)).find((one) => one.name === name);
      const count = numberOf(row.cells[1]);
      await until(async () => (await listed(page)).length, count, `clauses of ${name}`);
      means(await listed(page), 6, holds);
    }
  });
}

scene('encodings: weights, from the form to the clauses', { hash }, async (page) => {
  await ready(page);
  const weights = [3, 5, 7, 2, 2];
  await page.selectOption('#enc-counts', 'list');
  await page.fill('#enc-weights', weights.join(' '));
  await page.fill('#enc-k', 'sum/2');
  assert.equal(await page.inputValue('#enc-n'), '5', 'as many literals as weights');
  await says(page, '.enc-sizes caption', /at most sum\/2 as the sum of 5 with weights 3, 5, 7, 2, 2, by encoding/);
  // They come one by one.
  const rows = await until(() => table(page), (some) => some.length === 6, 'six encodings');
  assert.ok(rows.every((row) => row.name.startsWith('pb:') && numberOf(row.cells[1]) > 0));
  await page.locator('.enc-choice summary').click();
  const counting = page.getByRole('checkbox', { name: /^card:totalizer/ });
  assert.equal(await counting.isDisabled(), true, 'counts have no weights');
  await says(page, '.enc-summary', /as the sum of 5/i);
  const names = (await page.locator('#enc-inside-encoding option').allTextContents());
  for (const name of names) {
    await page.selectOption('#enc-inside-encoding', name);
    const row = rows.find((one) => one.name === name);
    await until(async () => (await listed(page)).length, numberOf(row.cells[1]), `clauses of ${name}`);
    means(await listed(page), 5, (sum) => sum <= 9, weights);
  }
  await page.selectOption('#enc-inside-encoding', 'pb:generalized-totalizer');
  const sums = page.locator('.enc-structure [data-variable]').filter({ hasText: /true as soon as .*≥/ });
  await until(() => sums.count(), (count) => count > 2, 'roles of sums');
  // By lot, over the bound.
  await page.selectOption('#enc-counts', 'lot');
  await page.fill('#enc-weight-most', '9');
  await page.fill('#enc-n', '10');
  await page.selectOption('#enc-over', 'k');
  await says(page, '.enc-plot title', /^Clauses of at most k as the sum of 10 with weights from 1 to 9 by lot$/);
  await page.locator('.enc-plot .enc-curve').first().waitFor();
  // Back to counts: what was chosen for counts is chosen again.
  await page.fill('#enc-k', '2'); // counts have no sum/2, which is refused where the next line comes late
  await page.selectOption('#enc-counts', 'one');
  await until(async () => (await table(page)).some((row) => row.name === 'card:totalizer'), true, 'counts again');
  await page.selectOption('#enc-counts', 'list');
  await page.fill('#enc-weights', '3 five');
  await says(page, '#enc-problem', /whole numbers up to 4,294,967,295/);
});

scene('encodings: a sum that is pasted says itself what is demanded', { hash }, async (page) => {
  await ready(page);
  await page.fill('#enc-literals', '3 x1 + 2 x2 <= 4');
  await page.click('#enc-dimacs-make');
  const shown = await says(page, '#enc-dimacs', /^c at most 4 weights in 2 literals, pb:auto/);
  assert.deepEqual(clausesOf(shown).clauses.map((clause) => clause.slice().sort()), [[-1, -2]]);
  await page.click('#enc-dimacs-weights');
  await page.click('#enc-dimacs-make');
  await says(page, '#enc-dimacs', /^c at most 4 weights in 3 literals/);
});

scene('encodings: pointing at a literal says its role and lights it up', { hash }, async (page) => {
  await ready(page);
  await page.locator('.enc-plot').waitFor(); // it stands above the clauses and would move them
  await says(page, '.enc-summary', /auxiliary/);
  assert.equal(await page.inputValue('#enc-inside-encoding'), 'card:totalizer');
  const literal = page.locator('.enc-clause .enc-lit.enc-not').first();
  const name = (await literal.textContent()).slice(1);
  await until(async () => {
    await page.mouse.move(0, 0);
    await literal.hover();
    return page.textContent('#enc-status');
  }, new RegExp(`^¬${name}: .*Clause \\d+: `), 'what is pointed at');
  const lit = await page.locator('.enc-clauses .enc-lit-same').allTextContents();
  assert.ok(lit.length > 1 && lit.every((one) => one.replace('¬', '') === name));
  // In the drawing, the variable and the lines to and from it.
  const node = await page.locator('.enc-structure [data-variable].enc-lit-part').getAttribute('data-variable');
  assert.equal((await page.locator(`.enc-structure [data-variable="${node}"] text`).textContent()).trim(), name);
  const ends = await page.locator('.enc-structure [data-between].enc-lit-part').evaluateAll((all) =>
    all.map((one) => one.dataset.between.split(' ')));
  assert.ok(ends.length > 0 && ends.every((two) => two.includes(node)), JSON.stringify(ends));
  await page.locator('.enc-structure [data-variable="1"]').hover();
  await says(page, '#enc-status', /^x1: input; in \d+ clauses/);
  // An auxiliary says what it counts, and the drawing shows the number.
  const counts = page.locator('.enc-structure [data-variable]').filter({ hasText: /at least 2 of x1 to x4 are true/ });
  await counts.first().hover();
  await says(page, '#enc-status', /^a\d+: true as soon as at least 2 of x1 to x4 are true; in \d+ clauses/);
  assert.equal((await counts.first().locator('text').textContent()).trim(), '2');
});

scene('encodings: the drawing is saved', { hash }, async (page) => {
  await ready(page);
  await page.locator('.enc-structure').waitFor();
  const file = await saved(page, () => page.click('#enc-svg'));
  const texts = await page.evaluate((text) => {
    const drawn = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [...drawn.querySelectorAll('text, title')].map((one) => one.textContent);
  }, file.text);
  assert.ok(texts.length > 8, file.text.slice(0, 200));
});

scene('encodings: the same by keyboard alone', { hash }, async (page) => {
  await ready(page);
  await page.locator('.enc-variables li').first().focus();
  await says(page, '#enc-status', /^x1: input/);
  await page.keyboard.press('ArrowRight');
  await says(page, '#enc-status', /^x2: input/);
  await page.keyboard.press('Tab');
  await says(page, '#enc-status', /Clause 1: /);
  await page.keyboard.press('ArrowDown');
  await says(page, '#enc-status', /Clause 2: /);
  await page.keyboard.press('Control+End');
  const last = (await listed(page)).length;
  await says(page, '#enc-status', new RegExp(`Clause ${last}: `));
  assert.equal(await page.locator('.enc-clauses [tabindex="0"]').count(), 1, 'one stop of Tab');
});

scene('encodings: literals become DIMACS', { hash }, async (page) => {
  await ready(page);
  await rule(page, 'at_most', '2', '8');
  await page.fill('#enc-literals', '3 -7 12 20');
  await page.selectOption('#enc-dimacs-encoding', 'card:combinatorial');
  await page.click('#enc-dimacs-make');
  const shown = await says(page, '#enc-dimacs', /^(c.*\n)*p cnf/);
  const { clauses } = clausesOf(shown);
  const sorted = clauses.map((clause) => clause.slice().sort((a, b) => a - b).join(' ')).sort();
  assert.deepEqual(sorted, ['-12 -3 7', '-20 -12 -3', '-20 -12 7', '-20 -3 7'].sort(), 'no three of the four');
  const file = await saved(page, () => page.click('#enc-dimacs-download'));
  assert.equal(file.text, shown);
  assert.match(file.name, /\.cnf$/);
  await page.click('#enc-dimacs-copy');
  await until(() => page.evaluate(() => navigator.clipboard.readText()), shown, 'clipboard');
});

scene('encodings: wrong input is said, and nothing is lost', { hash, refused: true }, async (page) => {
  await ready(page);
  const before = await table(page);
  await page.fill('#enc-k', 'many');
  await says(page, '#enc-problem', /k is a number/);
  assert.equal(await page.getAttribute('#enc-k', 'aria-invalid'), 'true');
  assert.deepEqual((await table(page)).map((row) => row.name), before.map((row) => row.name));
  await page.fill('#enc-k', '2');
  await says(page, '#enc-problem', '');
  await page.fill('#enc-n', '1000000');
  await says(page, '#enc-problem', /100,000/);
  await page.fill('#enc-n', '8');
  for (const literals of ['1 two 3', '1 0 3', '99999999999999999999']) {
    await page.fill('#enc-literals', literals);
    await page.click('#enc-dimacs-make');
    assert.ok((await problem(page)).length > 10);
    assert.equal(await page.inputValue('#enc-literals'), literals);
    await page.click('#problem-close');
  }
});

scene('encodings: what is too large is refused in its row, the others stay', { hash }, async (page) => {
  await ready(page);
  await rule(page, 'at_most', '50', '2000');
  await says(page, '.enc-sizes caption', /50 of 2000/);
  const rows = await table(page);
  const { cells } = rows.find((row) => row.name === 'card:combinatorial');
  assert.match(cells[1], /^at least 1.84 × 10¹⁹$/);
  assert.match(cells[4], /^more than 10,?000,?000 clauses/);
  assert.ok(numberOf(rows.find((row) => row.name === 'card:network').cells[1]) > 1000);
  await says(page, '.enc-summary', /up to n = 64/);
});
