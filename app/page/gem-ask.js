/**
 * The questions of the Gem Hunter tab: what each button asks, and how the answer is shown.
 *
 * Ids: gem-deduce, gem-chances (tick: with probabilities), gem-marks-count (tick: marks are cells of the board),
 * gem-why (the cell in focus), gem-check, gem-solve, gem-guess (the best guess), gem-explain (why is there no answer?),
 * gem-take (certain cells become marks), gem-clear (marks), gem-hidden (the answer a new board was made from),
 * gem-report with gem-report-text and gem-report-list; gem-rows, gem-columns, gem-density, gem-unique (tick: exactly
 * one answer; otherwise gem-shown says how many numbers), gem-seed, gem-new, gem-blank, gem-limit, gem-engine.
 */
import { button, field, h, more, number, seedField, seedOf, tick, whole } from './dom.js';
import { Report } from './report.js';
import { playing } from './gem-play.js';
import { raised, sentence, several } from './words.js';
import { GEM, MOST, NONE, TRAP, UNKNOWN, blank, fromRows, nothing, toLines, word } from './gem-board.js';

export function questions(app) {
  const { tools, work } = app;
  const report = new Report('gem', tools, (cell) => {
    app.view.grid.focus();
    app.view.go(cell);
  });
  const say = (...what) => report.show(...what);
  const sizes = { rows: number('gem-rows', 12, 1, MOST), columns: number('gem-columns', 16, 1, MOST) };
  const density = number('gem-density', 20, 0, 100);
  const shown = number('gem-shown', 40, 0, 100);
  const seed = seedField('gem-seed');
  const wishes = { chances: true, marks: false, unique: true };
  /** The answer the board was made from, and the cells it belongs to. */
  let hidden = { cells: null, rows: null };
  const shownField = field('Numbers shown, %', shown);
  shownField.hidden = true;
  const hiddenButton = button('gem-hidden', 'Hidden answer', uncover, { kind: 'small' });

  const index = ([row, column]) => row * app.board.now.columns + column;
  const cellsOf = (pairs) => (pairs ?? []).map(index);
  const place = (at) =>
    `row ${Math.floor(at / app.board.now.columns) + 1}, column ${(at % app.board.now.columns) + 1}`;
  const body = (marked) => ({ board: { lines: toLines(app.board.now, marked) }, total: app.board.now.total });

  /** Asks about the present state; null if there is no answer, or the board is another by now. */
  const about = (label, question, fields) => work.askAbout(() => app.board.now, label, question, fields);

  async function deduce() {
    const answer = await about('Deducing', 'gem/deduce', { ...body(wishes.marks), probabilities: wishes.chances });
    if (answer === null) return;
    if (!answer.cells) {
      await explain();
      return;
    }
    app.found = { ...nothing(), kinds: answer.cells.flat(), chances: answer.probabilities?.flat() ?? null };
    app.paint();
    const counts = { trap: 0, gem: 0, undecided: 0, free: 0 };
    app.found.kinds.forEach((kind, at) => {
      const open = app.board.now.cells[at] === UNKNOWN && !(wishes.marks && app.board.now.marks[at] !== NONE);
      if (open && kind in counts) counts[kind] += 1;
    });
    const certain = `${several(counts.trap, 'trap')}, ${several(counts.gem, 'gem')}`;
    const sum = `Certain: ${certain}. Undecided: ${counts.undecided}. Free: ${counts.free}.`;
    const solutions = answer.solutions ? ` Answers: ${raised(answer.solutions)}.` : '';
    const early = !answer.complete
      ? ' The time was over before all of it was found out.'
      : !answer.heeded
        ? ' The total is not heeded: the board is too entangled for it.'
        : '';
    const chances =
      wishes.chances && !answer.probabilities && !early
        ? ' There are no probabilities: counting all answers was too much.'
        : '';
    const best = answer.best && counts.trap + counts.gem === 0 ? index(answer.best) : -1;
    const take = counts.trap + counts.gem > 0 ? [button('gem-take', 'Mark what is certain', takeOver)] : [];
    const wrong = misplaced();
    const items =
      best < 0 ? [] : [[`least likely a trap: ${place(best)}, ${percent(app.found.chances[best])}`, best]];
    say(
      `${sum}${solutions}${chances}${early}`,
      wrong.length > 0 ? 'bad' : 'good',
      [
        ...items,
        ...wrong.map((at) => [
          `${place(at)}: marked ${word(app.board.now.marks[at])}, but certainly a ${app.found.kinds[at]}`,
          at,
        ]),
      ],
      take,
    );
    if (wrong.length > 0) {
      app.found.wrong = new Set(wrong);
      app.paint();
    }
  }

  /** Marks that contradict what is certain. */
  function misplaced() {
    const opposite = { trap: GEM, gem: TRAP };
    return [...app.found.kinds.keys()].filter(
      (at) =>
        app.board.now.cells[at] === UNKNOWN &&
        app.board.now.marks[at] !== NONE &&
        app.board.now.marks[at] === opposite[app.found.kinds[at]],
    );
  }

  /** The cell that is least likely a trap, as the board and its total stand. */
  async function guess() {
    const answer = await about('Looking for the best guess', 'gem/deduce', { ...body(false), probabilities: true });
    if (answer === null) return;
    if (!answer.cells) {
      await explain();
      return;
    }
    const at = answer.best ? index(answer.best) : answer.cells.flat().indexOf('gem');
    if (at < 0) {
      say('No guess is better than others: counting all answers was too much.');
      return;
    }
    const chance = answer.probabilities?.flat()[at] ?? 0;
    app.view.grid.focus();
    app.view.go(at);
    say(
      chance === 0
        ? `${sentence(place(at)).slice(0, -1)} is certainly no trap.`
        : `The best guess: ${place(at)}, a trap with ${percent(chance)}.`,
      'hint',
      [[place(at), at]],
    );
  }

  function takeOver() {
    const { kinds } = app.found;
    const { marks } = app.board.now;
    const changed = kinds && app.board.markAll((at) => ({ trap: TRAP, gem: GEM })[kinds[at]] ?? marks[at]);
    if (changed) app.changed({ keep: !wishes.marks });
    tools.say(changed ? 'What is certain is marked.' : 'All of it is marked already.');
  }

  async function why(at = app.view.at) {
    const { columns, cells } = app.board.now;
    if (cells[at] !== UNKNOWN) {
      say(sentence(`${place(at)} is given: ${word(cells[at])}. Ask about a cell that is not known`));
      return;
    }
    const answer = await about('Looking for the reason', 'gem/why', {
      ...body(wishes.marks),
      row: Math.floor(at / columns),
      column: at % columns,
    });
    if (answer === null) return;
    const numbers = cellsOf(answer.numbers);
    app.found = { ...app.found, lit: new Set(numbers), wrong: new Set(), asked: at };
    app.paint();
    say(
      sentence(answer.text ?? `${place(at)}: ${answer.state}`),
      answer.state === 'contradiction' ? 'bad' : 'hint',
      numbers.map((one) => [`${place(one)}: ${word(cells[one])}`, one]),
    );
  }

  async function check() {
    const answer = await about('Checking', 'gem/check', body(true));
    if (answer === null) return;
    const { problems } = answer;
    app.found = {
      ...app.found,
      lit: new Set(),
      wrong: new Set(problems.flatMap(({ cells }) => cellsOf(cells))),
      asked: -1,
    };
    app.paint();
    const open = app.board.now.cells.some((cell, at) => cell === UNKNOWN && app.board.now.marks[at] === NONE);
    if (problems.length > 0) {
      say(
        problems.length === 1 ? 'One problem:' : `${problems.length} problems:`,
        'bad',
        problems.map((problem) => [problem.text, cellsOf(problem.cells)[0] ?? null]),
      );
    } else say(open ? 'No number is contradicted so far.' : 'Solved: every number is met.', 'good');
  }

  async function solve() {
    const answer = await about('Looking for an answer', 'gem/solve', body(wishes.marks));
    if (answer === null) return;
    if (!answer.cells) {
      await explain();
      return;
    }
    showAnswer(fromRows(answer.cells));
    say('One answer, shown small. Deduce tells what all answers have in common.', 'good');
  }

  function showAnswer({ cells }) {
    const answer = cells.map((cell, at) =>
      app.board.now.cells[at] === UNKNOWN && (cell === TRAP || cell === GEM) ? cell : NONE,
    );
    app.found = { ...nothing(), answer };
    app.paint();
  }

  async function explain() {
    const answer = await about('Looking for the contradiction', 'gem/explain', body(wishes.marks));
    if (answer === null) return;
    if (answer.solvable) {
      say('There is nothing to explain: this board has an answer.', 'good');
      return;
    }
    const numbers = cellsOf(answer.numbers);
    app.found = { ...nothing(), lit: new Set(numbers) };
    app.paint();
    if (numbers.length > 0) app.view.show(numbers[0]);
    say(
      sentence(answer.text ?? 'There is no answer: these cells contradict each other.'),
      'bad',
      numbers.map((at) => [`${place(at)}: ${word(app.board.now.cells[at])}`, at]),
    );
  }

  /** Rows, columns and density of a new board. */
  const size = () => ({
    rows: whole(sizes.rows, 'Rows'),
    columns: whole(sizes.columns, 'Columns'),
    density: whole(density, 'Traps in percent') / 100,
  });

  async function create() {
    let wish;
    try {
      wish = { ...size(), seed: seedOf(seed) };
      if (!wishes.unique) wish.shown = whole(shown, 'Numbers shown in percent') / 100;
    } catch (problem) {
      tools.fail(problem);
      return;
    }
    const answer = await about('Making a board', 'gem/new', wish);
    if (answer === null) return;
    // The total that is told is the board's, so that chances are those of this board.
    const state = fromRows(answer.board.rows, answer.total ?? null);
    hidden = { cells: state.cells, rows: answer.hidden ?? null };
    app.become(state);
    const traps = answer.total === undefined ? '' : ` ${several(answer.total, 'trap')}.`;
    say(
      `A new board of ${wish.rows} × ${wish.columns}, seed ${wish.seed}.${traps} ${
        wishes.unique ? 'There is exactly one answer.' : 'There may be several answers.'
      }`,
    );
  }

  function uncover() {
    showAnswer(fromRows(hidden.rows));
    say('The answer this board was made from, shown small. Others may fit as well: Deduce tells.', 'quiet');
  }

  function empty() {
    try {
      app.become(blank(whole(sizes.rows, 'Rows'), whole(sizes.columns, 'Columns')));
      say('The board is empty. Choose “Edits” above it to type numbers.');
    } catch (problem) {
      tools.fail(problem);
    }
  }

  function clear() {
    if (!app.board.markAll(() => NONE)) {
      tools.say('There is no mark to clear.');
      return;
    }
    app.changed({ keep: !wishes.marks });
    tools.say('Marks cleared. Undo brings them back.');
  }

  const play = playing(app, size);
  const element = h(
    'div',
    { class: 'group-list' },
    h(
      'section',
      { class: 'card', 'aria-labelledby': 'gem-ask-title' },
      h('h2', { id: 'gem-ask-title', text: 'Ask' }),
      h(
        'div',
        { class: 'grid-buttons' },
        button('gem-deduce', 'Deduce', deduce, { kind: 'main' }),
        button('gem-why', 'Why this cell?', () => why()),
        button('gem-check', 'Check marks', check),
        button('gem-solve', 'One answer', solve),
        button('gem-guess', 'Best guess', guess),
      ),
      report.element,
      h(
        'div',
        { class: 'buttons' },
        button('gem-explain', 'Why not?', explain, { kind: 'small' }),
        button('gem-clear', 'Clear marks', clear, { kind: 'small' }),
        hiddenButton,
      ),
      h(
        'div',
        { class: 'row' },
        tick('gem-chances', 'Probabilities', true, (on) => {
          wishes.chances = on;
        }),
        tick('gem-marks-count', 'My marks count as known', false, (on) => {
          wishes.marks = on;
        }),
      ),
      h(
        'div',
        { class: 'row' },
        field('Traps in total', app.total, { beside: true }),
        work.limitField,
        work.engineField('Engine for One answer'),
      ),
    ),
    h(
      'section',
      { class: 'card', 'aria-labelledby': 'gem-new-title' },
      h('h2', { id: 'gem-new-title', text: 'New board' }),
      h(
        'div',
        { class: 'fields even' },
        field('Rows', sizes.rows),
        field('Columns', sizes.columns),
        field('Traps, %', density),
        shownField,
      ),
      tick('gem-unique', 'Exactly one answer', true, (on) => {
        wishes.unique = on;
        shownField.hidden = on;
      }),
      more('gem-new-more', field('Seed', seed)),
      h(
        'div',
        { class: 'buttons' },
        button('gem-new', 'New', create),
        play.button,
        button('gem-blank', 'Empty board', empty),
      ),
    ),
  );

  return {
    element,
    report: say,
    deduce,
    why,
    check,
    guess,
    play: play.begin,
    open: play.open,
    quiet: () => say(''),
    marksCount: () => wishes.marks,
    /** The hidden answer belongs to the numbers it was made with. */
    follow: () => {
      hiddenButton.hidden = hidden.rows === null || hidden.cells !== app.board.now.cells;
    },
  };
}

/** A chance in percent; what is not certain is neither 0 nor 100. */
function percent(chance) {
  return `${(100 * chance).toFixed(chance > 0 && chance < 0.001 ? 4 : 1)} percent`;
}
