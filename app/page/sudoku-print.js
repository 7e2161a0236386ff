/**
 * Sudokus on paper: the board, others like it, and their solutions, on one sheet. The sheet is a part of the page that
 * only printers show.
 *
 * Ids: sudoku-print-box (the card), sudoku-print-count, sudoku-print-solutions (tick), sudoku-print; sheet (outside of
 * the tab), with a `figure` for each picture.
 */
import { button, field, h, select, tick } from './dom.js';
import { GIVEN } from './sudoku-sheet.js';

const COUNTS = [1, 2, 4, 6].map((count) => [String(count), `${count} ${count === 1 ? 'puzzle' : 'puzzles'}`]);

/** @param {object} app the Sudoku tab */
export function printing(app) {
  const { tools, work } = app;
  const count = select('sudoku-print-count', COUNTS, '1');
  let solutions = true;

  /** An answer, or null: somebody has been told why. */
  const ask = (question, body) => work.ask('Preparing the sheet', question, body);

  /** This board's givens, and as many new puzzles of its kind as are wanted beside it. */
  async function puzzles() {
    const all = [app.sheet.toServer([GIVEN])];
    while (all.length < Number(count.value)) {
      const seed = Math.floor(Math.random() * 1_000_000);
      const made = await ask('sudoku/new', { ...app.rules(), difficulty: app.ask.difficulty(), seed });
      if (made === null) return null;
      all.push(made.sheet);
    }
    return all;
  }

  /** A picture of a puzzle, or of its solution; null if there is none. */
  async function picture(sheet, number, solved) {
    const body = { sheet };
    if (solved) {
      const answer = await ask('sudoku/solve', { sheet, count_ms: 0 });
      if (answer === null) return null;
      if (answer.solution === null) return h('p', { text: `Puzzle ${number} has no solution.` });
      body.solution = answer.solution;
    }
    const drawn = await ask('sudoku/svg', body);
    if (drawn === null) return null;
    const what = `${solved ? 'Solution' : 'Puzzle'} ${number}`;
    const image = h('img', { alt: what, src: `data:image/svg+xml,${encodeURIComponent(drawn.svg)}` });
    await image.decode();
    return h('figure', {}, image, Number(count.value) > 1 || solved ? h('figcaption', { text: what }) : null);
  }

  async function print() {
    const all = await puzzles();
    if (all === null) return;
    const parts = [];
    for (const solved of solutions ? [false, true] : [false]) {
      const figures = [];
      for (const [at, sheet] of all.entries()) {
        const figure = await picture(sheet, at + 1, solved);
        if (figure === null) return;
        figures.push(figure);
      }
      parts.push(h('div', { class: solved ? 'sheet-solutions' : 'sheet-puzzles' }, ...figures));
    }
    const sheet = document.getElementById('sheet');
    sheet.dataset.count = count.value;
    sheet.dataset.solutions = solutions;
    sheet.replaceChildren(...parts);
    tools.say('The sheet is ready.');
    window.print();
  }

  // Printed otherwise, the page is itself.
  addEventListener('afterprint', () => document.getElementById('sheet').replaceChildren());

  return h(
    'section',
    { class: 'card', id: 'sudoku-print-box', 'aria-labelledby': 'sudoku-print-title' },
    h('h2', { id: 'sudoku-print-title', text: 'On paper' }),
    h('div', { class: 'fields' }, field('On the sheet', count), button('sudoku-print', 'Print', print)),
    tick('sudoku-print-solutions', 'Solutions below', true, (on) => {
      solutions = on;
    }),
  );
}
