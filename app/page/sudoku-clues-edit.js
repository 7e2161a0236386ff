/**
 * Makes cages, thermometers and arrows of the cells that are chosen on the board, and takes them away again.
 *
 * Ids: sudoku-clues-box (the card), sudoku-clues-sum, sudoku-clues-cage, sudoku-clues-thermometer, sudoku-clues-arrow,
 * sudoku-clues-remove.
 */
import { button, field, h, number, whole } from './dom.js';
import { MOST_SIDE, counts, sums } from './sudoku-clues.js';

/** @param {object} app the Sudoku tab */
export function clueEditor(app) {
  const { tools } = app;
  const sum = number('sudoku-clues-sum', '', 1, (MOST_SIDE * (MOST_SIDE + 1)) / 2, { placeholder: 'none' });

  /** The board has these clues from now on. */
  function become(clues, text) {
    const { layout } = app.sheet;
    app.become({ ...app.sheet.now, layout: { ...layout, clues } });
    app.view.choose();
    app.ask.report(text);
  }

  function add(kind) {
    const { n, clues } = app.sheet.layout;
    const cells = app.view.targets;
    const [least, most] = counts(kind, n);
    const fail = (error) => tools.fail({ error, where: kind, status: 0 });
    if (n > MOST_SIDE) fail(`Cages, thermometers and arrows are for boards of up to ${MOST_SIDE} rows.`);
    else if (cells.length < least || cells.length > most) {
      const chosen = `${cells.length === 1 ? 'one is' : `${cells.length} are`} chosen`;
      fail(`${kind === 'arrow' ? 'An' : 'A'} ${kind} on this board has ${least} to ${most} cells; ${chosen}.`);
    } else if (kind === 'cage' && sum.value.trim() !== '') {
      try {
        [sum.min, sum.max] = sums(cells.length, n);
        const total = whole(sum, `The sum of ${cells.length === 1 ? 'one cell' : `${cells.length} cells`}`);
        sum.value = '';
        become([...clues, { kind, cells, sum: total }], `A cage with sum ${total}.`);
      } catch (problem) {
        tools.fail(problem);
      }
    } else become([...clues, { kind, cells, sum: null }], TEXTS[kind]);
  }

  function remove() {
    const { clues } = app.sheet.layout;
    const cells = new Set(app.view.targets);
    const left = clues.filter((clue) => !clue.cells.some((cell) => cells.has(cell)));
    const count = clues.length - left.length;
    if (count === 0) tools.say('No cage, thermometer or arrow is in the cells that are chosen.');
    else become(left, `${count === 1 ? 'One clue' : `${count} clues`} taken away.`);
  }

  return h(
    'details',
    { class: 'card', id: 'sudoku-clues-box' },
    h('summary', {}, h('h2', { text: 'Cages, thermometers, arrows' })),
    h('p', {
      class: 'note',
      text:
        'Choose cells on the board first, in order: drag the mouse, move with Shift and the arrow keys, or tick ' +
        '“Several cells” and tap. ' +
        'A thermometer begins at its bulb, an arrow at its circle.',
    }),
    h(
      'div',
      { class: 'fields' },
      field('Sum of the cage', sum),
      button('sudoku-clues-cage', 'Cage', () => add('cage')),
    ),
    h(
      'div',
      { class: 'buttons' },
      button('sudoku-clues-thermometer', 'Thermometer', () => add('thermometer')),
      button('sudoku-clues-arrow', 'Arrow', () => add('arrow')),
      button('sudoku-clues-remove', 'Take away', remove, { title: 'Those that the chosen cells are in' }),
    ),
  );
}

/** The meaning of a new clue. */
const TEXTS = {
  cage: 'A cage without a sum: no value is in it twice.',
  thermometer: 'A thermometer: values increase from its bulb.',
  arrow: 'An arrow: its values add up to the one in its circle.',
};
