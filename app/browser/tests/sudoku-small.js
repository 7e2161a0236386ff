/** What is small, and what is at hand: candidates of two digits, zoom, and the bar that stays on a phone. */
import assert from 'node:assert/strict';
import { board } from '../sudoku-board.js';
import { says, scene, until } from '../harness.js';

const hash = '#sudoku';
const ready = (page) =>
  until(async () => (await board(page)).flat().some((cell) => cell.value > 0), true, 'an example');

async function choose(page, mode) {
  await ready(page);
  await page.selectOption('#sudoku-mode', mode);
  await says(page, '#sudoku-report-text', /an example/);
}

/** Digits of candidates that touch those of a neighbour, leave their cell, or are smaller than can be read. */
const faults = (page, least) => page.evaluate((smallest) => {
  const found = [];
  const pen = document.createElement('canvas').getContext('2d');
  document.querySelectorAll('#sudoku-grid .candidates').forEach((box) => {
    const cell = box.parentElement.getBoundingClientRect();
    const inks = [...box.children].map((span) => {
      const style = getComputedStyle(span);
      const size = parseFloat(style.fontSize);
      pen.font = `${style.fontWeight} ${size}px ${style.fontFamily}`;
      const { value } = span.dataset;
      const width = pen.measureText(value).width + (parseFloat(style.letterSpacing) || 0) * value.length;
      const place = span.getBoundingClientRect();
      const middle = [place.left + place.width / 2, place.top + place.height / 2];
      return { value, left: middle[0] - width / 2, right: middle[0] + width / 2, top: middle[1], size };
    });
    inks.forEach((one, at) => {
      if (one.size < smallest) found.push(`${one.value} in ${box.parentElement.id}: ${one.size} px`);
      if (one.left < cell.left || one.right > cell.right) found.push(`${one.value} leaves ${box.parentElement.id}`);
      const beside = inks.find((other, to) => to !== at && Math.abs(other.top - one.top) < 2 && other.left > one.left
        && other.left < one.right + 1);
      if (beside) found.push(`${one.value} touches ${beside.value} in ${box.parentElement.id}`);
    });
  });
  return found.slice(0, 5);
}, least);

for (const [mode, width, dark] of [['10', 1280, false], ['16', 1280, true], ['16', 390, false], ['25', 1280, false]]) {
  const about = `${mode} × ${mode} at ${width} px`;
  scene(`small: candidates of ${about} do not run into each other`, { hash, width, dark }, async (page) => {
    await choose(page, mode);
    await page.check('#sudoku-candidates');
    await until(() => page.locator('#sudoku-grid .candidates').count(), (count) => count > 5, 'candidates');
    assert.deepEqual(await faults(page, 7.4), []);
    // Whatever is told by number is told in full where the focus is.
    const cell = page.locator('#sudoku-grid [role=gridcell]:has(.count, .candidates)');
    await cell.first().click();
    const said = /candidates ([\d ]+)/.exec(await cell.first().getAttribute('aria-label'))[1].trim();
    await says(page, '#sudoku-where', new RegExp(`candidates ${said}`));
    await page.click('#sudoku-larger');
    await page.click('#sudoku-larger');
    assert.deepEqual(await faults(page, 7.4), []);
    const side = () => page.evaluate(() => document.querySelector('#sudoku-r1c1').getBoundingClientRect().width);
    const large = await side();
    await page.click('#sudoku-smaller');
    await page.click('#sudoku-smaller');
    assert.ok(await side() < large - 5);
  });
}

for (const mode of ['4', '9', '16', '25']) {
  scene(`small: ${mode} on a phone: what is needed is in sight`, { hash, width: 390, height: 760, touch: true },
    async (page) => {
      await choose(page, mode);
      const cell = await page.locator('#sudoku-r1c1').boundingBox();
      assert.ok(cell.width >= 24 && cell.height >= 24, `cells of ${cell.width} px`);
      const inSight = async () => {
        for (const id of ['dock-undo', 'dock-notes', 'dock-check', 'dock-hint', 'dock-result', 'pad-1']) {
          const box = await page.locator(`#sudoku-${id}`).boundingBox();
          const right = box && box.y >= 0 && box.y + box.height <= 760 && box.height >= 36;
          assert.ok(right, `${id}: ${JSON.stringify(box)}`);
          assert.ok(box.width >= 24, `${id} is ${box.width} px wide`);
        }
      };
      await inSight();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await inSight();
      // Nothing is hidden behind the bar at the end of the page.
      const covered = await page.evaluate(() => {
        const last = [...document.querySelectorAll('#sudoku .side button')].filter((one) => one.offsetParent).pop();
        return last.getBoundingClientRect().bottom > document.querySelector('.dock').getBoundingClientRect().top;
      });
      assert.equal(covered, false, 'the last button can be reached');
      await page.evaluate(() => scrollTo(0, 0));
      const empty = page.locator('#sudoku-grid [data-status=empty]').first();
      const id = await empty.getAttribute('id');
      await empty.click();
      await page.click('#sudoku-dock-notes');
      assert.equal(await page.getAttribute('#sudoku-dock-notes', 'aria-pressed'), 'true');
      await page.click('#sudoku-pad-1');
      await until(() => page.getAttribute(`#${id}`, 'aria-label'), /notes 1/, 'a note');
      await page.click('#sudoku-dock-undo');
      await until(() => page.getAttribute(`#${id}`, 'aria-label'), (text) => !text.includes('notes'), 'undone');
      await page.click('#sudoku-dock-result');
      await says(page, '#sudoku-report-text', /^Solved/, 60000);
    });
}
