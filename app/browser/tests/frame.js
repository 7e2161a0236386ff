/** What all tabs share: accessibility, colours, a phone's width, the keyboard, the address; the server's headers. */
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { origin, running, says, scene, until } from '../harness.js';

/** How to bring each tab into a state in which it shows all it has. */
const TABS = {
  sudoku: async (page) => {
    await until(() => page.locator('#sudoku-grid [data-status=given]').count(), (count) => count > 0, 'an example');
    await page.check('#sudoku-candidates');
    await page.click('#sudoku-hint');
    await page.locator('#sudoku-next').waitFor();
    await page.click('#sudoku-check');
    await says(page, '#sudoku-report-text', /rule is broken/);
  },
  gem: async (page) => {
    await page.click('#gem-deduce');
    await says(page, '#gem-report-text', /^Certain/);
  },
  encodings: async (page) => {
    await page.locator('.enc-plot').waitFor();
    await page.locator('.enc-structure').waitFor();
    await page.locator('.enc-sizes tbody tr').first().waitFor();
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
    await page.click('#enc-dimacs-make');
    await page.locator('#enc-dimacs').waitFor();
    await page.locator('.enc-clause .enc-lit').first().focus();
  },
  model: async (page) => {
    await page.locator('#model-figures td').first().waitFor();
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  },
};

/** States that a tab can be in besides, looked at wide and light, and narrow and dark. */
const STATES = {
  'sudoku, regions are drawn': async (page) => {
    await TABS.sudoku(page);
    await page.selectOption('#sudoku-mode', 'own');
    await page.locator('#sudoku-draw-use').waitFor();
  },
  'sudoku, solved': async (page) => {
    await TABS.sudoku(page);
    await page.click('#sudoku-result');
    await says(page, '#sudoku-report-text', /unique/);
  },
  'sudoku, a refusal': async (page) => {
    await page.fill('#sudoku-text', 'https://sudokupad.app/abc');
    await page.click('#sudoku-read');
    await page.locator('#problem').waitFor();
  },
  'gem, a board that is edited': async (page) => {
    await page.click('label:has(#gem-tool-edit)');
    await page.locator('#gem-brush').waitFor();
  },
  'gem, a guess': async (page) => {
    await page.click('#gem-guess');
    await says(page, '#gem-report-text', /./);
  },
  'encodings, weights': async (page) => {
    await TABS.encodings(page);
    await page.getByRole('button', { name: 'Weights 3, 5, 7 and 9' }).click();
    await says(page, '.enc-sizes caption', /weights 3, 5, 7, 9/);
  },
  'model, no solution': async (page) => {
    await TABS.model(page);
    await page.fill('#model-queens-n', '3');
    await page.click('#model-solve');
    await says(page, '#model-text', /no solution/);
  },
  'model, a mistake in a text': async (page) => {
    await page.locator('#model-figures td').first().waitFor();
    await page.check('#model-name-own', { force: true });
    await page.fill('#model-text-area', 'include "globals.mzn";');
    await page.click('#model-text-solve');
    await says(page, '#model-text-said', /^Line 1, column 1: .* minizinc -c/);
  },
};

for (const dark of [false, true]) {
  for (const width of [1200, 390]) {
    const others = dark === (width === 390) ? Object.entries(STATES) : [];
    for (const [state, prepare] of [...Object.entries(TABS), ...others]) {
      const name = `frame: ${state}, ${dark ? 'dark' : 'light'}, ${width} wide: axe-core finds nothing`;
      scene(name, { hash: `#${state.split(',')[0]}`, dark, width, refused: true }, async (page) => {
        await prepare(page);
        await until(() => page.locator('#toast.shown').count(), 0, 'the notice goes');
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.map(({ id, nodes }) =>
          [id, ...nodes.slice(0, 3).map((node) => node.html)].join(' | '));
        assert.deepEqual(found, []);
      });
    }
  }
}

for (const [tab, prepare] of Object.entries(TABS)) {
  const phone = { hash: `#${tab}`, width: 360, height: 740, touch: true };
  scene(`frame: ${tab} at a phone’s width`, phone, async (page) => {
    await prepare(page);
    const sizes = await page.evaluate(() => {
      const scrolls = '.scroll, svg, pre, [class*="grid"], .tabs, .enc-clauses';
      const wide = [...document.querySelectorAll('body *')].filter((one) =>
        one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).position !== 'absolute'
        && !one.closest(scrolls)).map((one) => one.outerHTML.slice(0, 120));
      return { page: document.documentElement.scrollWidth, wide: wide.slice(0, 5) };
    });
    assert.deepEqual(sizes, { page: 360, wide: [] });
    const small = await page.evaluate((id) => [...document.querySelectorAll(`#${id} button, #${id} select`)]
      .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 24).map((one) => one.textContent), tab);
    assert.deepEqual(small, [], 'large enough for a finger');
  });
}

scene('frame: tabs by keyboard, and Back comes back', {}, async (page) => {
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'skip');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-sudoku');
  for (const tab of ['gem', 'encodings', 'model', 'sudoku']) {
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${tab}`);
    await page.locator(`#${tab}`).waitFor({ state: 'visible' });
    assert.equal(await page.getAttribute(`#tab-${tab}`, 'aria-selected'), 'true');
    assert.equal(await page.locator('[role=tabpanel]:visible').count(), 1);
  }
  await page.goBack();
  await page.locator('#model').waitFor({ state: 'visible' });
  await until(() => page.title(), /Model/, 'title');
});

scene('frame: nothing but the keyboard reaches everything in a tab', { hash: '#encodings' }, async (page) => {
  await TABS.encodings(page);
  await page.evaluate(() => document.querySelector('#skip').focus());
  const reached = new Set();
  for (let stop = 0; stop < 200; stop += 1) {
    await page.keyboard.press('Tab');
    const id = await page.evaluate(() => document.activeElement.id || document.activeElement.className);
    if (id === 'skip') break;
    reached.add(id);
    const visible = await page.evaluate(() => {
      const one = document.activeElement;
      const style = getComputedStyle(one);
      return one === document.body || style.outlineStyle !== 'none' || style.boxShadow !== 'none';
    });
    assert.ok(visible, `the focus on ${id} cannot be seen`);
  }
  for (const id of ['relation', 'k', 'n', 'measure', 'over', 'inside-encoding', 'literals', 'dimacs-make']) {
    assert.ok(reached.has(`enc-${id}`), `${id} cannot be reached`);
  }
});

scene('frame: colours follow the choice and stay', { dark: false }, async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.selectOption('#theme', 'dark');
  const dark = await until(ground, (colour) => colour !== light, 'another ground');
  // A question that a reload breaks off is told on the console.
  await page.locator('#sudoku-grid [data-status=given]').first().waitFor();
  await page.reload();
  assert.equal(await ground(), dark);
  await page.selectOption('#theme', 'auto');
  await until(ground, light, 'the system’s colours');
});

scene('frame: a page that is left cancels its work', { hash: '#gem' }, async (page) => {
  await page.fill('#gem-rows', '200');
  await page.fill('#gem-columns', '200');
  await page.fill('#gem-density', '45');
  await page.fill('#gem-limit', '60');
  await page.click('#gem-new');
  await until(running, (count) => count > 0, 'a question at work');
  await page.goto('about:blank');
  await until(running, 0, 'questions at work', 5000);
});

scene('frame: headers forbid what the page does not need', {}, async (page) => {
  const response = await page.request.get(`${origin}/`);
  const policy = response.headers()['content-security-policy'];
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  for (const [header, value] of [['Host', 'example.org'], ['Origin', 'http://example.org']]) {
    const refused = await page.request.post(`${origin}/api/sudoku/modes`, { headers: { [header]: value }, data: {} });
    assert.equal(refused.status(), 403, header);
  }
});
