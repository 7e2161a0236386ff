/**
 * A question in every tab, by the keyboard, without a line on the console: short enough for every browser there is.
 * `BROWSER=firefox node run.js smoke` asks Firefox.
 */
import assert from 'node:assert/strict';
import { says, scene, until } from '../harness.js';

/** Moves the focus on with Tab until it is where it should be. */
async function tabTo(page, id) {
  for (let step = 0; step < 150; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.id) === id) return;
  }
  assert.fail(`Tab does not reach ${id}`);
}

scene('smoke: a Sudoku is typed into, noted in and solved', { hash: '#sudoku' }, async (page) => {
  const cell = page.locator('#sudoku-grid [data-status=empty]').first();
  await cell.focus();
  const id = await cell.getAttribute('id');
  await page.keyboard.type('n12n9');
  await until(() => page.getAttribute(`#${id}`, 'data-status'), 'entered', 'a value');
  await page.keyboard.press('Delete');
  await until(() => page.getAttribute(`#${id}`, 'aria-label'), /notes 1 2/, 'notes');
  await page.keyboard.press('Control+z');
  await tabTo(page, 'sudoku-check');
  await page.keyboard.press('Control+Home');
  await page.locator(`#${id}`).focus();
  await page.keyboard.press('Delete');
  await tabTo(page, 'sudoku-result');
  await page.keyboard.press('Enter');
  await says(page, '#sudoku-report-text', /unique/);
});

scene('smoke: a Gem Hunter board is deduced and explained', { hash: '#gem' }, async (page) => {
  await tabTo(page, 'gem-grid');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, 'gem-deduce');
  await page.keyboard.press('Enter');
  await says(page, '#gem-report-text', /^Certain/);
});

scene('smoke: an encoding is looked into', { hash: '#encodings' }, async (page) => {
  await page.locator('.enc-sizes tbody tr').first().waitFor();
  await tabTo(page, 'enc-k');
  await page.keyboard.type('3');
  await says(page, '.enc-sizes caption', /at most 3 of 8/);
  await page.locator('.enc-structure [data-variable]').first().waitFor();
  await page.locator('.enc-clause .enc-lit').first().focus();
  await page.keyboard.press('ArrowDown');
  await says(page, '#enc-status', /Clause 2: /);
  await until(() => page.locator('.enc-structure .enc-lit-part').count(), (count) => count > 1, 'lit');
});

scene('smoke: a model is solved', { hash: '#model' }, async (page) => {
  await page.locator('#model-figures td').first().waitFor();
  await tabTo(page, 'model-solve');
  await page.keyboard.press('Enter');
  await page.locator('#model-figures td').first().waitFor();
  assert.ok(await page.locator('#model svg, #model table').count() > 0, 'a solution is drawn');
});
