/**
 * The questions of the Sudoku tab: what each button asks, and how the answer is shown. An answer is for the state
 * the question was about: if the board has changed meanwhile, it is dropped.
 *
 * Ids: sudoku-check, sudoku-hint, sudoku-result, sudoku-why, sudoku-clear (answers), sudoku-empty (everything),
 * sudoku-settle (values become givens), sudoku-report (the answer; its sentence is sudoku-report-text, its list
 * sudoku-report-list; those of hints are in sudoku-hint.js), sudoku-why-now (Why not? once there is no solution),
 * sudoku-new, sudoku-difficulty, sudoku-seed, sudoku-limit, sudoku-engine.
 */
import { button, field, h, more, number, seedField, seedOf, select } from './dom.js';
import { Report } from './report.js';
import { chainItems, hints } from './sudoku-hint.js';
import { capital, sentence } from './words.js';
import { ENTERED, GIVEN, blank, given, layoutFromServer } from './sudoku-sheet.js';

/** Origins whose values are the question; what was solved is the answer. */
const OWN = [GIVEN, ENTERED];
/** Milliseconds to count solutions in once there is one. */
const COUNTING = 1000;

export function questions(app) {
  const { tools, work } = app;
  const report = new Report('sudoku', tools, (cell) => app.view.go(cell));
  const say = (...what) => report.show(...what);
  const seed = seedField('sudoku-seed');
  const difficulty = select('sudoku-difficulty', [['medium', 'Medium']], 'medium');
  /** The question for candidates that is under way; a newer one takes its place. */
  let asking = null;
  /** What difficulties mean, by name. */
  const meanings = new Map();
  /** Solutions seen of the puzzle `key`. */
  let seen = { key: '', solutions: [] };

  const index = ([row, column]) => row * app.sheet.n + column;
  const cellsOf = (pairs) => (pairs ?? []).map(index);

  /** Asks about the present state; null if there is no answer, or the board is another by now. */
  const about = (label, question, body) => work.askAbout(() => app.sheet.now, label, question, body);

  async function check() {
    const answer = await about('Checking', 'sudoku/check', { sheet: app.sheet.toServer() });
    if (answer === null) return;
    const { problems, complete } = answer;
    app.marks = {
      ...app.marks,
      wrong: new Set(problems.flatMap(({ cells }) => cellsOf(cells))),
      lit: new Set(),
      hint: -1,
    };
    app.paint();
    const items = problems.map((problem) => [problem.text, cellsOf(problem.cells)[0]]);
    if (problems.length > 0) {
      say(problems.length === 1 ? 'One problem:' : `${problems.length} problems:`, 'bad', items);
    } else if (complete ?? app.sheet.full) {
      say('Solved: every cell has a value, and no rule is broken.', 'good');
    } else {
      say('No rule is broken so far. Check does not look whether there is a solution; Result does.', 'good');
    }
  }

  async function result() {
    const sheet = app.sheet.toServer(OWN);
    const key = JSON.stringify(sheet);
    if (seen.key !== key) seen = { key, solutions: [] };
    const before = seen.solutions.length;
    const answer = await about(before ? 'Looking for another solution' : 'Solving', 'sudoku/solve', {
      sheet,
      not: seen.solutions,
      seed: before,
      count_ms: COUNTING,
    });
    if (answer === null) return;
    if (!answer.solution) {
      if (before === 0) {
        say('This puzzle has no solution.', 'bad', [], [whyNow()]);
        return;
      }
      const shown = seen.solutions[0];
      seen = { key, solutions: [] };
      app.sheet.solve(shown);
      app.changed();
      say(
        before === 1
          ? 'There is no other solution: it is unique.'
          : `There are exactly ${before} solutions; this is the first again.`,
        'good',
      );
      seen = { key, solutions: [shown] };
      return;
    }
    seen.solutions.push(answer.solution);
    app.sheet.solve(answer.solution);
    app.changed();
    const { unique, count } = answer;
    if (unique) say('Solved. The solution is unique.', 'good');
    else if (unique === null || count.at_least < 2) {
      say(
        'Solved. Whether there are other solutions was not found out in time: Result looks for another one.',
        'good',
      );
    } else {
      say(
        `Solution ${before + 1} of ${count.exact ? 'exactly' : 'at least'} ${count.at_least}. ` +
          'Result shows another one.',
        'good',
      );
    }
  }

  const hint = hints(app, about, say, {
    origins: OWN,
    full: check,
    none: ({ text }) => {
      const stuck = !app.sheet.full && /no solution/.test(text ?? '');
      say(sentence(text ?? 'there is no hint'), stuck ? 'bad' : 'quiet', [], stuck ? [whyNow()] : []);
    },
  });

  const whyNow = () => button('sudoku-why-now', 'Why not?', why);

  async function why() {
    const answer = await about('Looking for the contradiction', 'sudoku/why', { sheet: app.sheet.toServer(OWN) });
    if (answer === null) return;
    if (answer.solvable) {
      app.marks = { ...app.marks, wrong: new Set(), lit: new Set(), hint: -1 };
      app.paint();
      say('There is nothing to explain: this puzzle has a solution.', 'good');
      return;
    }
    const givens = cellsOf(answer.givens);
    // What singles show is the easier reason, and comes first.
    const { singles } = answer;
    const wrong = new Set(cellsOf(singles?.end));
    app.marks = { ...app.marks, wrong, lit: new Set(givens), hint: -1 };
    app.paint();
    const place = (cell) => `row ${Math.floor(cell / app.sheet.n) + 1}, column ${(cell % app.sheet.n) + 1}`;
    const items = givens.map((cell) => [`${place(cell)}: ${app.sheet.now.values[cell]}`, cell]);
    const rules = (answer.rules ?? []).map((rule) => [`rule: ${rule}`, null]);
    const chain = chainItems(singles?.chain ?? [], index);
    const dead = singles ? `Singles lead to a contradiction: ${singles.text}.` : '';
    const late = givens.length > 0 && rules.length === 0 ? ' Which rules take part was not found out in time.' : '';
    const all = `There is no solution. ${dead} These values contradict each other:${late}`;
    say(givens.length === 0 ? sentence(answer.text) : all.replace('  ', ' '), 'bad', [...chain, ...items, ...rules]);
  }

  /** Candidates are asked for quietly: they are not what somebody waits for. */
  async function candidates() {
    const state = app.sheet.now;
    asking?.abort();
    const { signal } = (asking = new AbortController());
    try {
      const body = { sheet: app.sheet.toServer(), exact: app.exactCandidates };
      const answer = await tools.ask('sudoku/candidates', body, { signal });
      if (state !== app.sheet.now || !app.showCandidates) return;
      app.marks.candidates = answer.candidates.flat();
      app.paint();
      if (app.view.fewest < Infinity) {
        say(`There are too many candidates to show: those of cells with at most ${app.view.fewest} are.`);
      }
    } catch (problem) {
      if (state === app.sheet.now && !problem.cancelled) say(`No candidates: ${problem.error}`, 'bad');
    }
  }

  async function create() {
    let number;
    try {
      number = seedOf(seed);
    } catch (problem) {
      tools.fail(problem);
      return;
    }
    if (app.view.drawing && !app.draw.use()) return;
    const wanted = difficulty.value;
    const mode = app.modeOf(app.sheet.layout)?.name ?? null;
    const answer = await about('Making a puzzle', 'sudoku/new', { ...app.rules(), difficulty: wanted, seed: number });
    if (answer === null) return;
    app.become(
      given(layoutFromServer({ ...answer.sheet, n: answer.sheet.n ?? app.sheet.n }, mode), answer.sheet.cells),
    );
    const got = answer.difficulty;
    const means = meanings.get(got) ?? '';
    const instead = got === wanted ? '' : ` Nothing ${wanted} was found for these rules and this seed.`;
    const count = app.sheet.now.status.filter((status) => status === GIVEN).length;
    const what = means ? `${got} (${means})` : got;
    say(`A new puzzle: ${what}, seed ${number}, ${count} givens, one solution.${instead}`, 'quiet');
  }

  function clear() {
    if (!app.sheet.keep([GIVEN])) {
      tools.say('There is no answer to clear.');
      return;
    }
    app.changed();
    say('Answers and notes cleared; the givens stay. Undo brings them back.');
  }

  function empty() {
    app.become(blank(app.sheet.layout));
    say('The board is empty. What you type can become givens, by “Givens” above the board or “Make givens”.');
  }

  function settle() {
    app.sheet.settle();
    app.changed();
    say('All values are givens now.');
  }

  const element = h(
    'div',
    { class: 'group-list' },
    h(
      'section',
      { class: 'card', 'aria-labelledby': 'sudoku-ask-title' },
      h('h2', { id: 'sudoku-ask-title', text: 'Ask' }),
      h(
        'div',
        { class: 'grid-buttons' },
        button('sudoku-check', 'Check', check),
        button('sudoku-hint', 'Hint', hint),
        button('sudoku-result', 'Result', result, { kind: 'main' }),
        button('sudoku-why', 'Why not?', why),
      ),
      report.element,
      h(
        'div',
        { class: 'buttons' },
        button('sudoku-clear', 'Clear', clear, { kind: 'small', title: 'Takes answers away; givens stay' }),
        button('sudoku-empty', 'Empty board', empty, { kind: 'small' }),
        button('sudoku-settle', 'Make givens', settle, {
          kind: 'small',
          title: 'All values on the board become givens',
        }),
      ),
      work.limitField,
      work.engineField('Engine for Result'),
    ),
    h(
      'section',
      { class: 'card', 'aria-labelledby': 'sudoku-new-title' },
      h('h2', { id: 'sudoku-new-title', text: 'New puzzle' }),
      h(
        'div',
        { class: 'fields' },
        field('Difficulty', difficulty),
        button('sudoku-new', 'New', create),
      ),
      more('sudoku-new-more', field('Seed', seed)),
    ),
  );

  return {
    element,
    report: say,
    quiet: () => say(''),
    check,
    hint,
    result,
    candidates,
    /** The difficulty that is chosen. */
    difficulty: () => difficulty.value,
    /** Difficulties are {name, about}. */
    setDifficulties(list) {
      if (list.length === 0) return;
      const chosen = difficulty.value;
      difficulty.replaceChildren(
        ...list.map(({ name, about }) => h('option', { value: name, title: about, text: capital(name) })),
      );
      list.forEach(({ name, about }) => meanings.set(name, about));
      difficulty.value = chosen;
    },
  };
}
