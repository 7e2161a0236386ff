/** Engines: programs on the server's machine that are chosen on the page. Stand-ins are first on its PATH. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A solver for formulas of a few dozen variables: `solve` is DPLL with unit propagation. */
const SOLVER = `#!${process.execPath}
const text = require('node:fs').readFileSync(process.argv.at(-1), 'utf8').split('\\n');
const lines = text.filter((line) => /^-?\\d/.test(line));
const clauses = lines.map((line) => line.trim().split(/\\s+/).map(Number).slice(0, -1));
function solve(clauses, model) {
  for (;;) {
    if (clauses.some((clause) => clause.length === 0)) return null;
    const unit = clauses.find((clause) => clause.length === 1)?.[0];
    if (unit === undefined) break;
    model = [...model, unit];
    clauses = set(clauses, unit);
  }
  if (clauses.length === 0) return model;
  const [lit] = clauses[0];
  return solve(set(clauses, lit), [...model, lit]) ?? solve(set(clauses, -lit), [...model, -lit]);
}
const set = (clauses, lit) =>
  clauses.filter((clause) => !clause.includes(lit)).map((clause) => clause.filter((other) => other !== -lit));
const model = solve(clauses, []);
console.log(model ? 's SATISFIABLE\\nv ' + model.join(' ') + ' 0' : 's UNSATISFIABLE');
`;

const folder = mkdtempSync(join(tmpdir(), 'cnfkit-engines-'));
after(() => rmSync(folder, { recursive: true }));
const scripts = [['cadical', SOLVER], ['kissat', '#!/bin/sh\nexec sleep 60\n'], ['minisat', '#!/bin/sh\nexit 3\n']];
for (const [name, script] of scripts) writeFileSync(join(folder, name), script, { mode: 0o755 });
process.env.PATH = `${folder}:${process.env.PATH}`;
// The harness starts the server, which looks for engines then.
const { board, values } = await import('../sudoku-board.js');
const { problem, running, says, scene, until } = await import('../harness.js');

/** Chooses an engine of the tab. */
async function choose(page, tab, name) {
  await until(() => page.locator(`#${tab}-engine option[value=${name}]`).count(), 1, 'the engine is listed');
  await page.selectOption(`#${tab}-engine`, name);
}

scene('engines: one solves a Sudoku, a board and a model', { hash: '#model' }, async (page) => {
  const asked = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/solve')) asked.push([request.url().split('/api/')[1], request.postDataJSON().engine]);
  });
  await page.locator('#model-figures td').first().waitFor();
  await page.click('#model details summary');
  await choose(page, 'model', 'cadical');
  await page.fill('#model-queens-n', '5');
  await page.click('#model-solve');
  await until(() => page.locator('#model-picture .model-queen').count(), 5, 'queens');
  await page.fill('#model-queens-n', '3');
  await page.click('#model-solve');
  await says(page, '#model-text', /no solution with these numbers, says the engine/);
  await page.click('#tab-gem');
  await choose(page, 'gem', 'cadical');
  await page.click('#gem-solve');
  await says(page, '#gem-report-text', /^One answer/);
  await page.click('#tab-sudoku');
  await page.selectOption('#sudoku-mode', '4');
  await choose(page, 'sudoku', 'cadical');
  await page.click('#sudoku-result');
  await says(page, '#sudoku-report-text', /unique/);
  const solved = (question) => asked.filter(([name]) => name === question).map(([, engine]) => engine ?? null);
  assert.deepEqual(solved('model/solve'), [null, 'cadical', 'cadical']);
  assert.deepEqual([solved('gem/solve'), solved('sudoku/solve')], [['cadical'], ['cadical']]);
});

scene('engines: one that fails, one that is cancelled', { hash: '#model', refused: true }, async (page) => {
  await page.locator('#model-figures td').first().waitFor();
  await page.click('#model details summary');
  await choose(page, 'model', 'minisat');
  await page.click('#model-solve');
  assert.match(await problem(page), /^The engine broke off.*; choose another engine, or the built-in solver\.$/);
  assert.equal(await page.textContent('#problem-where'), 'Where: the engine');
  await choose(page, 'model', 'kissat');
  await page.click('#model-solve');
  await page.locator('#model-work').waitFor({ state: 'visible' });
  assert.equal(await page.locator('#problem').isVisible(), false);
  await page.click('#model-cancel');
  await until(running, 0, 'questions that are worked on');
  await page.fill('#model-limit', '1');
  await page.click('#model-solve');
  assert.match(await problem(page), /^No answer within 1 second/);
  await page.selectOption('#model-engine', '');
  await page.click('#model-solve');
  await says(page, '#model-text', 'Solved.');
});

scene('engines: one solves a board with clues', { hash: '#sudoku/4/-/2x2/3...............' }, async (page) => {
  await says(page, '#sudoku-report-text', 'Opened from the address.');
  await page.click('#sudoku-clues-box summary');
  await page.click('#sudoku-r1c1');
  await page.keyboard.press('Shift+ArrowRight');
  await page.fill('#sudoku-clues-sum', '7');
  await page.click('#sudoku-clues-cage');
  await page.click('#sudoku-r3c1');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.click('#sudoku-clues-thermometer');
  await page.click('#sudoku-r3c4');
  for (const id of ['r2c4', 'r1c3']) await page.click(`#sudoku-${id}`, { modifiers: ['Control'] });
  await page.click('#sudoku-clues-arrow');
  await says(page, '#sudoku-report-text', /^An arrow/);
  await choose(page, 'sudoku', 'cadical');
  const asked = page.waitForRequest((request) => request.url().endsWith('/sudoku/solve'));
  await page.click('#sudoku-result');
  assert.equal((await asked).postDataJSON().engine, 'cadical');
  await says(page, '#sudoku-report-text', 'Solved. The solution is unique.');
  assert.deepEqual(values(await board(page)), [[3, 4, 1, 2], [2, 1, 4, 3], [1, 2, 3, 4], [4, 3, 2, 1]]);
});
