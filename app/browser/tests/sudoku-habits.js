/** What players are used to: several cells at once, colours, notes that clean themselves, the time, paper. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { board } from '../sudoku-board.js';
import { engine, says, scene, until } from '../harness.js';

const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const hash = `#sudoku/9/-/3x3/${PUZZLE}`;
const opened = (page) => says(page, '#sudoku-report-text', 'Opened from the address.');
const label = (page, id) => page.getAttribute(`#sudoku-${id}`, 'aria-label');
const chosen = (page) => page.locator('#sudoku-grid [aria-selected=true]').count();

scene('habits: several cells are chosen by mouse and keyboard', { hash }, async (page) => {
  await opened(page);
  const centre = async (id) => {
    const box = await page.locator(`#sudoku-${id}`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await centre('r1c3'));
  await page.mouse.down();
  await page.mouse.move(...await centre('r1c4'), { steps: 4 });
  await page.mouse.up();
  assert.equal(await chosen(page), 2);
  await page.click('#sudoku-r1c6', { modifiers: ['Control'] });
  assert.equal(await chosen(page), 3);
  await page.keyboard.type('n12');
  for (const id of ['r1c3', 'r1c4', 'r1c6']) assert.match(await label(page, id), /notes 1 2/);
  await page.keyboard.press('2');
  for (const id of ['r1c3', 'r1c4', 'r1c6']) assert.match(await label(page, id), /notes 1,?/);
  await page.keyboard.press('Control+z');
  assert.match(await label(page, 'r1c3'), /notes 1 2/);
  await page.click('#sudoku-r2c2');
  assert.equal(await chosen(page), 0);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  assert.equal(await chosen(page), 3);
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowUp');
  assert.equal(await chosen(page), 0);
  assert.equal((await board(page))[2][2].value, 8, 'a given is not erased');
});

scene('habits: a value takes itself from the notes that see it', { hash }, async (page) => {
  await opened(page);
  await page.click('#sudoku-r1c3');
  await page.keyboard.type('n124');
  await page.click('#sudoku-r5c3');
  await page.keyboard.type('2');
  await page.click('#sudoku-r7c4');
  await page.keyboard.type('2n');
  await page.click('#sudoku-r1c4');
  await page.keyboard.type('2');
  await until(async () => (await board(page))[0][3].value, 2, 'a value');
  assert.match(await label(page, 'r1c3'), /notes 1 4/);
  assert.match(await label(page, 'r5c3'), /notes 2/, 'another column, row and region');
  assert.ok(!(await label(page, 'r7c4')).includes('notes'), 'its column');
  await page.keyboard.press('Control+z');
  assert.match(await label(page, 'r1c3'), /notes 1 2 4/);
  assert.match(await label(page, 'r7c4'), /notes 2/);
});

for (const dark of [false, true]) {
  scene(`habits: colours stay over a reload, ${dark ? 'dark' : 'light'}`, { hash, dark }, async (page) => {
    await opened(page);
    await page.click('label[for=sudoku-enters-colours]');
    for (let colour = 1; colour <= 6; colour += 1) {
      await page.click(`#sudoku-r${colour}c3`);
      await page.keyboard.press(String(colour));
    }
    await page.click('#sudoku-r1c1');
    await page.click('#sudoku-pad-4');
    assert.match(await label(page, 'r1c1'), /colour 4/);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
    await page.waitForFunction(() => sessionStorage.getItem('cnfkit-sudoku')?.includes('_2.')
      || sessionStorage.getItem('cnfkit-sudoku')?.includes('.4'));
    await page.reload();
    await until(() => label(page, 'r1c1'), /colour 4/, 'colours');
    await page.click('#sudoku-r1c1');
    await page.keyboard.type('c0');
    assert.ok(!(await label(page, 'r1c1')).includes('colour'));
  });
}

scene('habits: the time runs, and can be hidden', { hash }, async (page) => {
  await opened(page);
  const time = () => page.textContent('#sudoku-timer');
  const seconds = async () => Number((await time()).replace(/^0:/, ''));
  await until(seconds, (passed) => passed >= 3, 'three seconds');
  await page.click('#sudoku-timer');
  assert.equal(await time(), 'Time');
  await page.click('#sudoku-timer');
  const before = await seconds();
  assert.ok(before >= 3, 'it has not begun anew');
  await page.reload();
  assert.match(await time(), /^0:/, 'it is shown as soon as the page is');
  await page.locator('#sudoku-grid [data-status=given]').first().waitFor();
  await page.click('#sudoku-empty');
  await until(seconds, (passed) => passed < before, 'another puzzle');
});

for (const [count, solutions] of [[1, true], [2, true], [4, true], [6, true], [6, false]]) {
  const what = `${count} on a sheet${solutions ? ' with solutions' : ''}`;
  scene(`habits: on paper, ${what}, on one page`, { hash }, async (page) => {
    await opened(page);
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    await page.selectOption('#sudoku-print-count', String(count));
    if (!solutions) await page.uncheck('#sudoku-print-solutions');
    const print = async () => {
      await page.emulateMedia({ media: 'screen' });
      await page.click('#sudoku-print');
      await page.locator('body[data-printed]').waitFor({ timeout: 60000 });
      await page.emulateMedia({ media: 'print' });
    };
    await print();
    const shown = await page.evaluate(() => ({
      pictures: [...document.querySelectorAll('#sheet img')].filter((one) => one.naturalWidth > 0).length,
      alone: [...document.body.children].filter((one) => one.offsetParent !== null && one.id !== 'sheet')
        .map((one) => one.className),
    }));
    assert.deepEqual(shown, { pictures: count * (solutions ? 2 : 1), alone: [] });
    if (engine === 'chromium') {
      for (const format of ['A4', 'Letter']) {
        if (format !== 'A4') await print(); // the sheet goes once it is printed
        const pdf = (await page.pdf({ format, preferCSSPageSize: false })).toString('latin1');
        assert.equal(pdf.match(/\/Type\s*\/Page\b(?!s)/g).length, 1, `${what} is one page ${format}`);
        await page.evaluate(() => document.body.removeAttribute('data-printed'));
      }
    }
    await page.emulateMedia({ media: 'screen' });
  });
}
