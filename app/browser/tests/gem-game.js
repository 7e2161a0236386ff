/** Gem Hunter to play, and boards of a million cells. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { here } from '../gem-board.js';
import { says, scene, until } from '../harness.js';

const report = (page, wanted, patience) => says(page, '#gem-report-text', wanted, patience);

/** Plays on by best guesses and certain cells until the game is over; the last sentence. */
async function playOn(page) {
  for (;;) {
    await page.click('#gem-guess');
    await report(page, /^(The best guess|Row .* certainly no trap)/);
    await page.keyboard.press('Enter');
    const end = /^(That was a trap|Won)/;
    await until(async () => end.test(await page.textContent('#gem-report-text'))
      || (await here(page)).content !== 'unknown', true, 'a cell is open');
    const text = await page.textContent('#gem-report-text');
    if (end.test(text)) return text;
  }
}

for (const dark of [false, true]) {
  const look = dark ? 'dark' : 'light';
  scene(`game: opened, flagged, guessed and ended, ${look}`, { hash: '#gem', dark }, async (page) => {
    await page.locator('#gem-play').waitFor();
    await page.fill('#gem-rows', '6');
    await page.fill('#gem-columns', '6');
    await page.fill('#gem-density', '14');
    await page.click('#gem-play');
    await report(page, /^5 traps under 36 cells/);
    assert.equal(await page.inputValue('#gem-total'), '5');
    assert.ok(await page.isChecked('#gem-tool-open'));
    await page.focus('#gem-grid');
    await page.keyboard.press('Enter');
    await until(async () => /^[0-8]$/.test((await here(page)).content), true, 'the first is never a trap');
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(violations.map(({ id }) => id), []);
    // A marked cell stays closed.
    await page.keyboard.press('Control+End');
    if ((await here(page)).content === 'unknown') {
      await page.keyboard.press('t');
      await page.keyboard.press('Enter');
      assert.equal((await here(page)).content, 'unknown');
      await page.keyboard.press('Delete');
    }
    const end = await playOn(page);
    if (end.startsWith('That')) {
      assert.equal((await here(page)).content, 'trap');
      await page.click('#gem-undo');
      await until(async () => (await here(page)).content, 'unknown', 'taken back');
    }
  });
}

const phone = { hash: '#gem', touch: true, width: 360, height: 740 };
scene('game: on a phone, what every move needs stays in sight', phone, async (page) => {
  await page.tap('#gem-dock-play');
  await report(page, /^38 traps under 192 cells/);
  const { x, y, width, height } = await page.locator('#gem-grid').boundingBox();
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await until(async () => /^[0-8]$/.test((await here(page)).content), true, 'a tap opens');
  for (const place of [0, 10000]) {
    await page.evaluate((top) => scrollTo(0, top), place);
    for (const id of ['deduce', 'why', 'check', 'guess', 'play']) {
      const box = await page.locator(`#gem-dock-${id}`).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 740 && box.height >= 40, `${id} at ${place}`);
    }
  }
  const covered = await page.evaluate(() => {
    const { bottom } = document.querySelector('#gem .side').lastElementChild.getBoundingClientRect();
    return bottom > document.querySelector('#gem .dock').getBoundingClientRect().top;
  });
  assert.equal(covered, false, 'the end of the tab is above the bar');
  await page.tap('#gem-dock-guess');
  await report(page, /^(The best guess|Row .* certainly no trap)/);
  await page.tap('#gem-dock-deduce');
  await report(page, /^Certain/);
});

scene('game: a board of a million cells is made, deduced, zoomed and scrolled', { hash: '#gem' }, async (page) => {
  await page.locator('#gem-new').waitFor();
  await page.fill('#gem-rows', '1000');
  await page.fill('#gem-columns', '1000');
  await page.uncheck('#gem-unique');
  await page.uncheck('#gem-chances');
  await page.fill('#gem-limit', '60');
  await page.click('#gem-new');
  await report(page, /^A new board of 1000 × 1000/, 60000);
  // The total, which such a board is too entangled for, would double the time.
  await page.fill('#gem-total', '');
  await page.click('#gem-deduce');
  await report(page, /^Certain: [1-9]\d* traps/, 90000);
  await page.focus('#gem-grid');
  await page.keyboard.press('Control+End');
  const last = await here(page);
  assert.deepEqual([last.row, last.column], ['1000', '1000']);
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('-');
  assert.equal(await page.getAttribute('#gem-grid', 'data-size'), '2');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  assert.equal((await here(page)).row, '2');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page stays as it is');
});
