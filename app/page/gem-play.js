/**
 * Gem Hunter to play: the traps are known to the page alone, a click opens a cell, the other button marks a trap. The
 * first click is never a trap. At any time the server tells which cell is the best guess, and its chance.
 *
 * Id: gem-play (begins a game).
 */
import { button } from './dom.js';
import { several } from './words.js';
import { TRAP, UNKNOWN, blank, opened } from './gem-board.js';

/** The traps of a game, as cells by lot but for the first and those around it. */
function lay({ rows, columns }, total, first) {
  const [row, column] = [Math.floor(first / columns), first % columns];
  const far = (at) => Math.abs(Math.floor(at / columns) - row) > 1 || Math.abs((at % columns) - column) > 1;
  const all = Array.from({ length: rows * columns }, (_, at) => at).filter((at) => at !== first);
  const free = all.filter(far);
  const places = free.length >= total ? free : all;
  const answer = new Uint8Array(rows * columns);
  for (let left = total; left > 0; left -= 1) {
    const pick = Math.floor(Math.random() * places.length);
    answer[places[pick]] = TRAP;
    places[pick] = places.at(-1);
    places.pop();
  }
  return answer;
}

/**
 * @param {object} app the Gem Hunter tab
 * @param {() => {rows: number, columns: number, density: number}} wish the fields of a new board; throws a problem
 */
export function playing(app, wish) {
  const { tools } = app;
  /** Where the traps are, from the first click on; and whether the game goes on. */
  let game = null;

  function begin() {
    let board;
    try {
      board = wish();
    } catch (problem) {
      tools.fail(problem);
      return;
    }
    const cells = board.rows * board.columns;
    const total = Math.min(cells - 1, Math.round(cells * board.density));
    game = { answer: null, rows: board.rows, columns: board.columns, total };
    app.become({ ...blank(board.rows, board.columns), total });
    app.chooseTool('open');
    const what = `${several(total, 'trap')} under ${several(cells, 'cell')}`;
    app.ask.report(`${what}. A click opens; the other button, or “Marks” above, marks.`);
  }

  /** Opens a cell; what is marked stays closed. */
  function open(at) {
    const { now } = app.board;
    if (game === null || now.rows !== game.rows || now.columns !== game.columns || now.total !== game.total) {
      tools.say('There is nothing to open: “Play” begins a game.');
      return;
    }
    if (now.cells[at] !== UNKNOWN || now.marks[at] === TRAP) return;
    game.answer ??= lay(now, game.total, at);
    const found = opened(now, game.answer, at);
    app.board.putAll(found);
    app.changed();
    const closed = app.board.now.cells.reduce((sum, cell) => sum + (cell === UNKNOWN), 0);
    if (found.get(at) === TRAP) {
      app.found.wrong = new Set([at]);
      app.paint();
      app.ask.report('That was a trap. Undo takes it back, and Play begins another game.', 'bad');
    } else if (closed === game.total) {
      app.ask.report(`Won: only the ${several(game.total, 'trap')} are closed.`, 'good');
    }
  }

  return { open, begin, button: button('gem-play', 'Play', begin) };
}
