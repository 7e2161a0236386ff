/** Playing Gem Hunter: marks that are checked, chances, cells that are edited, clicks on a board that is scrolled. */
import assert from 'node:assert/strict';
import { cells, here } from '../gem-board.js';
import { says, scene, until } from '../harness.js';

const report = (page, wanted, patience) => says(page, '#gem-report-text', wanted, patience);
const opened = (page) => report(page, 'Opened from the address.');
/** The 3 has three neighbours, all traps. */
const hash = '#gem/3/3/-/3........';

/** The board with the cell in the second column of the first row in focus. */
async function second(page) {
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
}

const choose = (page, tool) => page.click(`label[for=gem-tool-${tool}]`);

scene('gem: Check looks at the marks', { hash }, async (page) => {
  await opened(page);
  await second(page);
  await page.keyboard.press('g');
  assert.equal((await here(page)).mark, 'gem');
  await page.click('#gem-check');
  await report(page, 'One problem:');
  assert.equal(await page.getAttribute('#gem-report', 'data-kind'), 'bad');
  const wrong = (await cells(page, 3, 3)).flat().filter((cell) => cell.label.includes('breaks a rule'));
  assert.ok(wrong.some(({ row, column }) => row === '1' && column === '1'), 'the number is marked');
  await second(page);
  await page.keyboard.press('t');
  await page.click('#gem-check');
  await report(page, 'No number is contradicted so far.');
  await page.focus('#gem-grid');
  // All three around the number are traps, all others gems.
  await page.keyboard.press('Control+Home');
  for (let row = 1; row <= 3; row += 1) {
    for (let column = 1; column <= 3; column += 1) {
      if (row > 1 || column > 1) await page.keyboard.press(row <= 2 && column <= 2 ? 't' : 'g');
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
  }
  await page.click('#gem-check');
  await report(page, 'Solved: every number is met.');
});

scene('gem: chances are painted, and left out if nobody wants them', { hash: '#gem/3/3/-/2........' }, async (page) => {
  await opened(page);
  const painted = () => page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() =>
      resolve(document.querySelector('#gem-grid canvas').toDataURL())));
  }));
  await page.uncheck('#gem-chances');
  await page.click('#gem-deduce');
  await report(page, /^Certain: 0 traps, 0 gems\. Undecided: 3\. Free: 5\./);
  await second(page);
  assert.deepEqual([(await here(page)).kind, (await here(page)).chance], ['undecided', '']);
  const without = await painted();
  await page.check('#gem-chances');
  await page.click('#gem-deduce');
  await report(page, /least likely|Certain: 0 traps/);
  await second(page);
  const { chance } = await until(() => here(page), (cell) => cell.chance !== '', 'a chance');
  assert.ok(Math.abs(Number(chance) - 2 / 3) < 1e-9, chance);
  assert.match((await here(page)).label, /trap with 66\.7 percent$/);
  await until(painted, (picture) => picture !== without, 'another picture');
});

scene('gem: an edited cell has no mark any more', { hash }, async (page) => {
  await opened(page);
  await second(page);
  await page.keyboard.press('t');
  assert.equal((await here(page)).mark, 'trap');
  await choose(page, 'edit');
  await second(page);
  await page.keyboard.press('2');
  assert.deepEqual([(await here(page)).content, (await here(page)).mark], ['2', '']);
  await page.keyboard.press('Delete');
  assert.deepEqual([(await here(page)).content, (await here(page)).mark], ['unknown', '']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.deepEqual([(await here(page)).content, (await here(page)).mark], ['unknown', 'trap'], 'undone');
  await page.keyboard.press('Delete');
  assert.deepEqual([(await here(page)).content, (await here(page)).mark], ['unknown', ''], 'unknown is content, too');
});

scene('gem: a click on a scrolled board means the cell under it', { hash }, async (page) => {
  await opened(page);
  await page.fill('#gem-rows', '200');
  await page.fill('#gem-columns', '200');
  await page.click('#gem-blank');
  await until(() => page.getAttribute('#gem-grid', 'aria-label'), /200 rows of 200/, 'the board');
  const grid = page.locator('#gem-grid');
  const size = Number(await grid.getAttribute('data-size'));
  for (const [down, right] of [[0, 0], [41, 0], [0, 33], [70, 120], [150, 90]]) {
    const scrolled = await grid.evaluate((element, to) => {
      [element.scrollTop, element.scrollLeft] = to;
      return [element.scrollTop, element.scrollLeft];
    }, [down * size, right * size]);
    assert.deepEqual(scrolled, [down * size, right * size], 'it scrolls');
    await grid.click({ position: { x: 4.5 * size, y: 2.5 * size } });
    const cell = await here(page);
    assert.deepEqual([cell.row, cell.column, cell.mark], [String(down + 3), String(right + 5), 'trap']);
  }
  await page.click('#gem-clear');
  await grid.evaluate((element, to) => { element.scrollTo(...to); }, [60 * size, 50 * size]);
  await grid.scrollIntoViewIfNeeded();
  const box = await grid.boundingBox();
  const at = (column, row) => [box.x + (column + .5) * size, box.y + (row + .5) * size];
  await page.mouse.move(...at(2, 1));
  await page.mouse.down();
  await page.mouse.move(...at(5, 1), { steps: 12 });
  await page.mouse.up();
  const last = await here(page);
  assert.deepEqual([last.row, last.column, last.mark], ['52', '66', 'trap'], 'drawn to');
});
