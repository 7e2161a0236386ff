/** Kinds of Sudokus: every side of the list, jigsaws whose regions come by lot, chess moves, rules of one's own. */
import assert from 'node:assert/strict';
import { assertSolved, board, values } from '../sudoku-board.js';
import { problem, says, scene, until } from '../harness.js';

const hash = '#sudoku';
const report = (page, wanted, patience) => says(page, '#sudoku-report-text', wanted, patience);
const ready = (page) =>
  until(async () => (await board(page)).flat().some((cell) => cell.value > 0), true, 'an example');
const regions = async (page) => (await board(page)).map((row) => row.map((cell) => cell.region));

/** Cells of each region that can be reached from its first cell within it. */
function reached(map) {
  const found = new Map();
  map.forEach((row, r) => row.forEach((region, c) => {
    if (found.has(region)) return;
    const seen = new Set([`${r},${c}`]);
    for (const place of seen) {
      const [y, x] = place.split(',').map(Number);
      for (const [down, right] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
        if (map[y + down]?.[x + right] === region) seen.add(`${y + down},${x + right}`);
      }
    }
    found.set(region, seen.size);
  }));
  return found;
}

function assertConnected(map) {
  const n = map.length;
  assert.equal(reached(map).size, n, 'as many regions as rows');
  for (const [region, cells] of reached(map)) assert.equal(cells, n, `region ${region} is of one piece`);
}

async function own(page, side, from) {
  await page.selectOption('#sudoku-mode', 'own');
  await page.fill('#sudoku-draw-side', String(side));
  await page.selectOption('#sudoku-draw-from', from);
  await page.click('#sudoku-draw');
}

scene('sudoku kinds: the list has every side from 3 to 16, jigsaws, and chess moves', { hash }, async (page) => {
  await ready(page);
  const names = await page.locator('#sudoku-mode option').evaluateAll((all) => all.map((one) => one.value));
  for (let side = 3; side <= 16; side += 1) assert.ok(names.includes(String(side)), `side ${side}`);
  for (let side = 5; side <= 16; side += 1) {
    assert.ok(names.includes(`jigsaw-${side}`) || [11, 13].includes(side), `jigsaw of side ${side}`);
  }
  assert.ok(names.includes('anti-knight') && names.includes('anti-king'));
});

for (const mode of ['jigsaw-5', 'jigsaw-9', '11', '13', 'jigsaw-16']) {
  scene(`sudoku kinds: ${mode}: New draws other regions of one piece`, { hash }, async (page) => {
    await ready(page);
    await page.selectOption('#sudoku-mode', mode);
    await report(page, /an example/);
    const maps = [await regions(page)];
    await page.selectOption('#sudoku-difficulty', 'easy');
    await page.fill('#sudoku-limit', '60'); // some take seconds
    for (let round = 0; round < 2; round += 1) {
      await page.click('#sudoku-new');
      await report(page, /^A new puzzle/, 60000);
      maps.push(await regions(page));
      assert.equal(await page.inputValue('#sudoku-mode'), mode, 'it is still this kind');
      await page.click('#sudoku-check');
      await report(page, /^No rule is broken/);
    }
    maps.forEach(assertConnected);
    assert.notDeepEqual(maps[1], maps[2], 'other regions each time');
    await page.click('#sudoku-result');
    await report(page, 'Solved. The solution is unique.', 60000);
    assertSolved(await board(page));
  });
}

for (const [mode, rule] of [['anti-knight', 'anti_knight'], ['anti-king', 'anti_king']]) {
  scene(`sudoku kinds: ${mode}: New keeps its rule`, { hash }, async (page) => {
    await ready(page);
    await page.selectOption('#sudoku-mode', mode);
    await page.click('#sudoku-new');
    await report(page, /^A new puzzle/, 60000);
    assert.equal(await page.inputValue('#sudoku-mode'), mode);
    await page.click('#sudoku-result');
    await report(page, 'Solved. The solution is unique.');
    assertSolved(await board(page), { [rule]: true });
  });
}

scene('sudoku kinds: a rule that is ticked holds at once, and New heeds it', { hash, refused: true }, async (page) => {
  await ready(page);
  await page.selectOption('#sudoku-mode', 'own');
  await page.click('#sudoku-draw-stop');
  await page.check('#sudoku-draw-antiKnight');
  await report(page, /^Anti-knight: this rule holds now/);
  assert.equal(await page.inputValue('#sudoku-mode'), 'anti-knight', 'that is a kind with a name');
  await page.click('#sudoku-empty');
  await page.click('#sudoku-new');
  await report(page, /^A new puzzle/, 60000);
  await page.click('#sudoku-result');
  await report(page, 'Solved. The solution is unique.');
  assertSolved(await board(page), { anti_knight: true });
  await page.uncheck('#sudoku-draw-antiKnight');
  await until(() => page.inputValue('#sudoku-mode'), '9', 'without the rule');
  await page.click('#sudoku-undo');
  await until(() => page.isChecked('#sudoku-draw-antiKnight'), true, 'undo brings the rule back');
  // Windows are between square boxes only.
  await page.selectOption('#sudoku-mode', '6');
  await page.click('#sudoku-draw-windows');
  assert.match(await problem(page), /square boxes/);
  assert.equal(await page.isChecked('#sudoku-draw-windows'), false);
});

scene('sudoku kinds: New while regions are drawn uses them, or says why not', { hash, refused: true }, async (page) => {
  await ready(page);
  await own(page, 6, 'nothing');
  await page.check('#sudoku-draw-diagonals');
  await page.click('#sudoku-new');
  assert.match(await problem(page), /Every region needs 6 cells/);
  await page.click('#sudoku-draw-stop');
  await own(page, 6, 'boxes');
  await page.check('#sudoku-draw-diagonals');
  await page.click('#sudoku-new');
  await report(page, /^A new puzzle/, 60000);
  const cells = await board(page);
  assert.equal(cells.length, 6);
  assert.ok(cells.flat().some((cell) => cell.classes.includes('falling')), 'the rule was not ignored');
});

scene('sudoku kinds: a prime side starts from regions of one piece, not from rows', { hash }, async (page) => {
  await ready(page);
  for (const from of ['boxes', 'lot']) {
    await own(page, 11, from);
    await says(page, '#sudoku-draw-state', /^All 11 regions/);
    await page.click('#sudoku-draw-use');
    const map = await regions(page);
    assertConnected(map);
    assert.ok(map.some((row) => new Set(row).size > 1), 'no whole rows');
  }
});

scene('sudoku kinds: what is offered is answered, however large', { hash }, async (page) => {
  await ready(page);
  await page.selectOption('#sudoku-mode', '25');
  await page.selectOption('#sudoku-difficulty', 'expert');
  await page.click('#sudoku-new');
  await report(page, /^A new puzzle: /, 20000);
  const puzzle = await board(page);
  assert.ok(values(puzzle).flat().filter((value) => value === 0).length > 200, 'enough is left to do');
  for (const [side, patience] of [[36, 5000], [100, 10000]]) {
    await own(page, side, 'boxes');
    await page.click('#sudoku-draw-use');
    await until(async () => (await board(page)).length, side, 'side');
    await page.click('#sudoku-empty');
    await page.click('#sudoku-result');
    await report(page, /^Solution 1 of at least/, patience);
    assertSolved(await board(page));
  }
});
