/**
 * Hints that tell no more than they are asked for: first where to look, then the technique with its cells lit, then the
 * value. Values that have to be ruled out before are steps of their own. Each press of Hint goes one step on, until the
 * board changes.
 *
 * Ids: sudoku-next (the next step), sudoku-take (enters the value).
 *
 * @typedef {object} Frame what one press shows
 * @property {string} text
 * @property {number[]} lit cells that show it
 * @property {number} hint the cell that is meant, or -1
 * @property {[string, number][]} items singles, and the cells they lead to
 * @property {Map<number, number[]>} lost values that cells have lost so far
 */
import { button } from './dom.js';
import { capital, sentence } from './words.js';
import { ENTERED } from './sudoku-sheet.js';

/** The singles of a contradiction, as findings. */
export const chainItems = (chain, index) => chain.map(({ cell, text }) => [`then ${text}`, index(cell)]);

/** All frames of the server's hint; `index` gives the number of a cell. */
function framesOf(found, index) {
  const cells = (pairs) => pairs.map(index);
  const lost = new Map();
  const frames = [];
  const add = (text, lit, { hint = -1, items = [] } = {}) =>
    frames.push({ text, lit, hint, items, lost: new Map(lost) });
  const next = () => (frames.length === 0 ? 'Look at' : 'Now look at');
  for (const step of found.eliminations) {
    const losers = cells(step.cells);
    const refuted = step.chain.length > 0 || step.technique === 'contradiction';
    add(`${next()} ${step.look}.`, refuted ? losers : cells(step.shown));
    losers.forEach((cell) => lost.set(cell, [...(lost.get(cell) ?? []), step.value]));
    const items = chainItems(step.chain, index);
    add(`${capital(step.technique)}: ${step.text}.`, cells(step.shown), { items });
  }
  const cell = index([found.row, found.column]);
  const shown = cells(found.cells);
  const hidden = shown.includes(cell);
  add(`${next()} ${found.look}.`, hidden ? shown : [cell]);
  if (hidden) add(`Hidden single: some value has one place left in ${found.look}.`, shown);
  else if (found.technique !== 'search') add('Naked single: one value is left for this cell.', shown, { hint: cell });
  add(`${sentence(found.text)} Technique: ${found.technique}.`, shown, { hint: cell });
  return frames;
}

/**
 * @param {object} app the Sudoku tab
 * @param {(label: string, question: string, body: object) => Promise<any>} about asks about the present board
 * @param {Function} say shows an answer
 * @param {{origins: number[], none: (answer: object) => void, full: () => void}} on what is asked about, and what
 *   happens without a hint and with a full board
 */
export function hints(app, about, say, on) {
  let now = { state: null, frames: [], at: 0, found: null };
  const index = ([row, column]) => row * app.sheet.n + column;

  async function hint() {
    if (now.state === app.sheet.now) {
      now.at = Math.min(now.at + 1, now.frames.length - 1);
      show();
      return;
    }
    const answer = await about('Looking for a hint', 'sudoku/hint', { sheet: app.sheet.toServer(on.origins) });
    if (answer === null) return;
    if (!answer.hint) on.none(answer);
    else {
      now = { state: app.sheet.now, frames: framesOf(answer.hint, index), at: 0, found: answer.hint };
      show();
    }
  }

  function show() {
    const { found, frames, at } = now;
    const frame = frames[at];
    const cell = index([found.row, found.column]);
    const lit = new Set(frame.lit.filter((one) => one !== frame.hint));
    app.marks = { ...app.marks, wrong: new Set(), lit, hint: frame.hint, lost: frame.lost };
    app.paint();
    const last = at === frames.length - 1;
    const take = () => {
      if (app.sheet.put([cell], found.value, ENTERED)) app.changed();
      if (app.sheet.full) on.full();
      app.view.go(cell);
    };
    const go = last
      ? button('sudoku-take', `Enter ${found.value}`, take)
      : button('sudoku-next', `Tell more (${at + 1} of ${frames.length})`, hint);
    say(frame.text, 'hint', frame.items, [go]);
    if (!last && document.activeElement.id === 'sudoku-report') go.focus();
    app.view.cells[[frame.hint, ...frame.lit].find((one) => one >= 0)]
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  return hint;
}
