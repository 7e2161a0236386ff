/**
 * The Sudoku tab: puts the board, its controls and the questions together and holds what they share.
 *
 * Ids: sudoku-mode (list of modes), sudoku-grid and its cells (sudoku-grid.js), sudoku-enters (answers, notes, colours
 * or givens: radio buttons sudoku-enters-answers, -notes, -colours and -givens), sudoku-timer (sudoku-timer.js),
 * sudoku-undo, sudoku-redo, sudoku-pad-1 … and sudoku-pad-erase, sudoku-smaller and sudoku-larger (cells), sudoku-where
 * (what is small in the cell in focus), sudoku-dock-undo, -redo, -notes, -check, -hint and -result (phones only),
 * sudoku-candidates (tick), sudoku-exact (tick: only values of some solution), sudoku-several (tick: pressing chooses
 * more cells), sudoku-legend; the questions' ids are in
 * sudoku-ask.js and sudoku-hint.js, those of text and files in sudoku-text.js, of paper in sudoku-print.js, of one's
 * own regions in sudoku-draw.js, of cages, thermometers and arrows in sudoku-clues-edit.js.
 */
import { bar, button, field, h, keys, named, onPaste, select, tick } from './dom.js';
import { stepByKey } from './history.js';
import { Kept, reloaded } from './kept.js';
import { Work } from './work.js';
import { GridView } from './sudoku-grid.js';
import { EXTRAS, rowsOf, sameRules } from './sudoku-regions.js';
import {
  ENTERED,
  GIVEN,
  Sheet,
  blank,
  fromText,
  given,
  layoutFromServer,
  layoutToServer,
  toText,
  usual,
} from './sudoku-sheet.js';
import { questions } from './sudoku-ask.js';
import { printing } from './sudoku-print.js';
import { texts } from './sudoku-text.js';
import { clueEditor } from './sudoku-clues-edit.js';
import { timer } from './sudoku-timer.js';
import { LARGEST_PAD, drawing } from './sudoku-draw.js';

const KEYS = `Arrow keys, Home, End and Page keys move. Digits enter a value; two digits one after the other make a
  value over 9, and a comma ends a value. Delete empties the cell. N changes between answers and notes: a note is a
  value that you think of for a cell, and the same digit takes it back. C changes to colours, 1 to 6. Shift with an
  arrow key or a click, or a mouse that is dragged, chooses several cells for all of this, and so do fingers after
  “Several cells”. Ctrl+Z takes back, Ctrl+Y
  does again, Ctrl+V pastes a puzzle, Escape cancels.`;
/** What typing does besides entering values of some origin. */
const NOTES = 'notes',
  COLOURS = 'colours';
/** Colours that a cell can have. */
const MOST_COLOURS = 6;

/** The side from which on cells can be made larger. */
const SMALL_CELLS = 10;
/** Milliseconds without a change before candidates are asked for. */
const SETTLED = 120;

export async function start(root, tools) {
  const app = new Sudoku(root, tools);
  await app.loadModes();
  tools.onHash('sudoku', (rest) => app.open(rest));
}

class Sudoku {
  constructor(root, tools) {
    this.tools = tools;
    this.work = new Work('sudoku', tools);
    this.sheet = new Sheet(usual(9));
    this.modes = [];
    this.enters = ENTERED;
    this.marks = noMarks();
    this.kept = new Kept('sudoku', () => this.sheet, toText, fromText);
    this.restored = this.kept.restore(this.sheet);
    this.showCandidates = false;
    this.exactCandidates = false;
    this.stopTyping();
    this.view = new GridView({
      digit: (cell, digit) => this.digit(cell, digit),
      erase: (cell) => (this.view.drawing ? this.draw.erase(cell) : this.erase()),
      end: () => this.stopTyping(),
      notes: () => this.switchNotes(),
      colours: () => this.chooseEntering(this.enters === COLOURS ? ENTERED : COLOURS),
      focus: (cell) => {
        if (this.typing.cell !== cell) this.stopTyping();
        this.follow();
      },
      paint: (cell) => this.draw.paint(cell),
      step: (by, to) => this.draw.step(by, to),
    });
    this.ask = questions(this);
    this.text = texts(this);
    this.draw = drawing(this);
    this.layOut(root);
    // Otherwise there is nothing to type into before the example is there.
    if (this.restored) this.paint();
  }

  layOut(root) {
    this.mode = select('sudoku-mode', [], '', () => this.chooseMode(this.mode.value));
    this.undoButton = button('sudoku-undo', 'Undo', () => this.step('undo'), { title: 'Ctrl+Z' });
    this.redoButton = button('sudoku-redo', 'Redo', () => this.step('redo'), { title: 'Ctrl+Y' });
    this.pad = h('div', { class: 'pad', role: 'group', 'aria-label': 'Values' });
    this.where = h('p', { class: 'note sudoku-where', id: 'sudoku-where', 'aria-hidden': 'true' });
    const enters = bar(
      'sudoku-enters',
      'Typing enters',
      [
        ['answers', 'Answers'],
        ['notes', 'Notes'],
        ['colours', 'Colours'],
        ['givens', 'Givens'],
      ],
      'answers',
      (value) => this.chooseEntering({ answers: ENTERED, notes: NOTES, colours: COLOURS, givens: GIVEN }[value]),
    );
    this.time = timer(() => !this.sheet.full);
    const exact = tick('sudoku-exact', 'Only those of solutions', false, (on) => {
      this.exactCandidates = on;
      this.marks.candidates = null;
      this.changed({ keepMarks: true });
    });
    exact.hidden = true;
    const candidates = tick('sudoku-candidates', 'Candidates', false, (on) => {
      this.showCandidates = on;
      exact.hidden = !on;
      this.changed({ keepMarks: true });
    });
    root.replaceChildren(
      h(
        'div',
        { class: 'split' },
        h(
          'div',
          { class: 'stage' },
          h(
            'div',
            { class: 'stage-head' },
            field('Puzzle', this.mode),
            enters,
            h(
              'div',
              { class: 'buttons' },
              ...[this.undoButton, this.redoButton, candidates, exact],
              tick('sudoku-several', 'Several cells', false, (on) => this.view.chooseSeveral(on)),
              this.time.element,
            ),
            (this.sizes = h(
              'div',
              { class: 'buttons', role: 'group', 'aria-label': 'Size of cells' },
              named('sudoku-smaller', '−', 'Smaller cells', () => this.zoom(-1)),
              named('sudoku-larger', '+', 'Larger cells', () => this.zoom(1)),
            )),
          ),
          this.view.element,
          this.where,
          this.draw.bar,
          this.dock(),
          legend(),
          keys('sudoku-keys', KEYS),
        ),
        h(
          'div',
          { class: 'side' },
          this.work.line,
          this.ask.element,
          clueEditor(this),
          this.draw.element,
          this.text.element,
          printing(this),
        ),
      ),
    );
    root.addEventListener('keydown', (event) => this.shortcut(event));
    onPaste(root, (text) => this.text.paste(text));
  }

  /** Values to tap on, and on a phone what is needed at every move; it stays in sight there. */
  dock() {
    const press = (id, text, name, act) => named(`sudoku-dock-${id}`, text, name, act);
    return h(
      'div',
      { class: 'dock' },
      h(
        'div',
        { class: 'dock-buttons', role: 'group', 'aria-label': 'At hand' },
        press('undo', '↶', 'Undo', () => this.step('undo')),
        press('redo', '↷', 'Redo', () => this.step('redo')),
        press('notes', 'Notes', 'Notes or answers', () => this.switchNotes()),
        press('check', 'Check', 'Check', () => this.ask.check()),
        press('hint', 'Hint', 'Hint', () => this.ask.hint()),
        press('result', 'Result', 'Result', () => this.ask.result()),
      ),
      this.pad,
    );
  }

  /** Typing enters notes from now on, or answers again. */
  switchNotes() {
    this.chooseEntering(this.enters === NOTES ? ENTERED : NOTES);
  }

  zoom(by) {
    if (!this.view.zoom(by)) this.tools.say(`Cells do not become ${by > 0 ? 'larger' : 'smaller'}.`);
    this.follow();
  }

  /** The line under the board says what is small in the cell in focus. */
  follow() {
    const { at } = this.view;
    const open = this.sheet.now.values[at] === 0 && !this.view.drawing;
    const candidates = open ? this.marks.candidates?.[at] : null;
    const notes = open ? this.sheet.now.notes.get(at) : null;
    const said = [candidates && `candidates ${candidates.join(' ')}`, notes && `notes ${notes.join(' ')}`];
    const place = `Row ${Math.floor(at / this.sheet.n) + 1}, column ${(at % this.sheet.n) + 1}`;
    this.where.textContent = said.some(Boolean) ? `${place}: ${said.filter(Boolean).join('; ')}` : '';
  }

  /* ---- modes ---- */

  async loadModes() {
    const { modes, formats, difficulties } = await this.tools.ask('sudoku/modes', {});
    this.modes = modes.map((mode) => ({ ...mode, layout: layoutFromServer(mode, mode.name) }));
    this.text.setFormats(formats ?? []);
    this.ask.setDifficulties(difficulties ?? []);
    const kinds = [
      ['Sizes', []],
      ['Jigsaws', []],
      ['Latin squares', []],
      ['More rules', []],
    ];
    for (const mode of this.modes) {
      const more = EXTRAS.some(([name]) => mode.layout[name]);
      kinds[/^\d+$/.test(mode.name) ? 0 : mode.jigsaw ? 1 : more ? 3 : 2][1].push(mode);
    }
    this.mode.replaceChildren(
      ...kinds
        .filter(([, list]) => list.length > 0)
        .map(([label, list]) =>
          h('optgroup', { label }, ...list.map((mode) => h('option', { value: mode.name, text: mode.title }))),
        ),
      h('option', { value: 'own', text: 'Regions of my own …' }),
    );
    const first = this.modes.find((mode) => mode.name === '9') ?? this.modes[0];
    if (first && !this.restored && !this.sheet.canUndo && !location.hash.startsWith('#sudoku/')) {
      this.sheet = new Sheet(first.layout);
      this.sheet.now = given(first.layout, first.example ?? rowsOf(first.n, new Array(first.n ** 2).fill(0)));
    }
    this.changed();
  }

  chooseMode(name) {
    if (name === 'own') {
      this.draw.open();
      return;
    }
    const mode = this.modes.find((one) => one.name === name);
    this.draw.close();
    this.become(given(mode.layout, mode.example ?? rowsOf(mode.n, new Array(mode.n ** 2).fill(0))));
    this.ask.report(
      `${mode.title}: an example. Solve it, empty the board and type one of your own, or take a new one.`,
    );
  }

  /** The mode whose rules a layout has, or that it was made for as a jigsaw; or none. */
  modeOf(layout) {
    const same = this.modes.find((mode) => sameRules(mode.layout, layout));
    return same ?? this.modes.find((mode) => mode.name === layout.mode) ?? null;
  }

  /** What the server is to generate: a mode by its name, or a layout of one's own. */
  rules() {
    const { layout } = this.sheet;
    const mode = layout.clues.length === 0 && this.modeOf(layout);
    return mode ? { mode: mode.name } : { sheet: layoutToServer(layout) };
  }

  /* ---- changes ---- */

  /** Another state takes the place of the present one; undo brings it back. */
  become(state) {
    this.sheet.become(state);
    this.stopTyping();
    this.changed();
  }

  /** The next digit begins a new number. */
  stopTyping() {
    this.typing = { cell: -1, number: 0 };
  }

  /** What typing enters from now on. */
  chooseEntering(what) {
    this.enters = what;
    this.stopTyping();
    const name = { [ENTERED]: 'answers', [GIVEN]: 'givens' }[what] ?? what;
    document.getElementById(`sudoku-enters-${name}`).checked = true;
    for (const key of this.pad.children) {
      const value = key.dataset.value;
      if (value) key.setAttribute('aria-label', `${this.pressing()} ${value}`);
    }
    this.pad.classList.toggle('noting', what === NOTES);
    this.pad.classList.toggle('colouring', what === COLOURS);
    document.getElementById('sudoku-dock-notes').setAttribute('aria-pressed', String(what === NOTES));
    this.tools.say(`Typing enters ${name}.`, { heard: true });
  }

  /** What a key of the pad does. */
  pressing() {
    return { [NOTES]: 'Note', [COLOURS]: 'Colour' }[this.enters] ?? 'Enter';
  }

  /** A digit was typed: it continues the number typed into this cell before, if a value results. */
  digit(cell, digit) {
    const before = this.typing.cell === cell ? this.typing.number : 0;
    const longer = 10 * before + digit;
    const goesOn = before > 0 && longer <= this.sheet.n;
    const value = goesOn ? longer : digit;
    if (value > this.sheet.n) {
      this.tools.say(`${value} is out of range: allowed are 1 to ${this.sheet.n}.`);
      return;
    }
    // The note of 1 becomes one of 12.
    if (this.enters === NOTES) this.note(value, goesOn ? before : null);
    else if (this.enters === COLOURS) this.colour(digit);
    else this.put(value);
    this.typing = value > 0 ? { cell, number: value } : { cell: -1, number: 0 };
  }

  /** Notes a value in the chosen cells, or takes the note back; `before` is a note that it takes the place of. */
  note(value, before = null) {
    if (value === 0) return;
    const cells = this.view.targets.filter((cell) => this.sheet.now.values[cell] === 0);
    if (cells.length === 0) {
      this.tools.say('This cell has a value. Notes are for empty cells.');
      return;
    }
    this.sheet.note(cells, value, before);
    this.changed({ keepMarks: true });
    const notes = this.sheet.now.notes.get(cells[0]);
    this.tools.say(notes ? `Notes ${notes.join(' ')}.` : 'No notes.', { heard: true });
  }

  /** Colours the chosen cells; 0 takes their colours. */
  colour(number) {
    if (number > MOST_COLOURS) this.tools.say(`Colours are 1 to ${MOST_COLOURS}.`);
    else if (this.sheet.colour(this.view.targets, number)) this.changed({ keepMarks: true });
  }

  /** Takes the values of the chosen cells away, or their notes and colours where they have none. */
  erase() {
    this.stopTyping();
    const cells = this.view.targets;
    if (this.enters === COLOURS) this.colour(0);
    else if (cells.some((cell) => this.sheet.now.values[cell] > 0)) this.put(0);
    else if (this.sheet.unnote(cells)) this.changed({ keepMarks: true });
  }

  /** Puts a value into the chosen cells. */
  put(value) {
    const { status } = this.sheet.now;
    const cells = this.view.targets.filter((cell) => status[cell] !== GIVEN || this.enters === GIVEN);
    if (cells.length === 0) {
      this.tools.say('This value is given. Choose “Givens” to change it.');
      return;
    }
    if (!this.sheet.put(cells, value, this.enters === GIVEN ? GIVEN : ENTERED)) return;
    this.changed();
    if (value > 0 && this.sheet.full && this.enters === ENTERED) this.ask.check();
  }

  step(direction) {
    if (!this.sheet[direction]()) {
      this.tools.say(`Nothing to ${direction}.`);
      return;
    }
    this.stopTyping();
    this.changed();
    this.tools.say(direction === 'undo' ? 'Undone.' : 'Done again.');
  }

  shortcut(event) {
    const what = stepByKey(event);
    if (what === null) return;
    event.preventDefault();
    this.step(what);
  }

  /** Marks go, and the answer that they belong to. */
  forget() {
    this.marks = noMarks();
    this.ask?.quiet();
  }

  /** Shows the present state. Marks belong to the state they were made for, and go unless told otherwise. */
  changed({ keepMarks = false } = {}) {
    const candidates = keepMarks ? this.marks.candidates : null;
    if (!keepMarks) this.forget();
    this.marks.candidates = this.showCandidates ? candidates : null;
    this.draw?.follow();
    this.paint();
    this.undoButton?.setAttribute('aria-disabled', String(!this.sheet.canUndo));
    this.redoButton?.setAttribute('aria-disabled', String(!this.sheet.canRedo));
    this.mode.value = this.modeOf(this.sheet.layout)?.name ?? 'own';
    this.makePad();
    this.sizes.hidden = this.sheet.n < SMALL_CELLS;
    this.kept.changed();
    const { layout } = this.sheet.now;
    this.time?.follow(JSON.stringify([layoutToServer(this.sheet.layout), this.sheet.toServer([GIVEN]).cells]));
    clearTimeout(this.settling);
    if (this.showCandidates && this.marks.candidates === null) {
      this.settling = setTimeout(() => this.ask.candidates(), SETTLED);
    }
  }

  paint() {
    let state = this.sheet.now;
    if (this.view.drawing) {
      const { layout } = this.draw;
      state = layout.n === this.sheet.n ? { ...state, layout } : blank(layout);
    }
    this.view.paint(state, this.marks);
    this.follow();
  }

  makePad() {
    const { n } = this.sheet;
    if (this.pad.dataset.n === String(n)) return;
    this.pad.dataset.n = n;
    if (n > LARGEST_PAD) return;
    const press = (value) => {
      this.stopTyping();
      if (this.view.drawing) return;
      if (value === 0) this.erase();
      else if (this.enters === NOTES) this.note(value);
      else if (this.enters === COLOURS) this.colour(value);
      else this.put(value);
    };
    this.pad.replaceChildren(
      ...Array.from({ length: n }, (_, i) => {
        const key = button(`sudoku-pad-${i + 1}`, String(i + 1), () => press(i + 1));
        key.dataset.value = i + 1;
        key.dataset.colour = i + 1;
        key.setAttribute('aria-label', `${this.pressing()} ${i + 1}`);
        return key;
      }),
      button('sudoku-pad-erase', 'Erase', () => press(0)),
    );
  }

  /** Opens what an address says; not when the page is loaded anew, since what came of it was kept. */
  open(rest) {
    const again = this.restored && reloaded();
    this.restored = false;
    if (again) return;
    try {
      this.become(this.text.fromAddress(rest));
      this.ask.report('Opened from the address.');
    } catch (problem) {
      this.tools.fail(problem);
    }
  }
}

function noMarks() {
  return { wrong: new Set(), lit: new Set(), hint: -1, candidates: null, lost: new Map() };
}

function legend() {
  const sample = (status, text) =>
    h('li', {}, h('span', { class: 'sample', 'data-status': status, 'aria-hidden': 'true', text: '5' }), text);
  return h(
    'ul',
    { id: 'sudoku-legend', class: 'legend', 'aria-label': 'What the digits look like' },
    sample('given', 'given'),
    sample('entered', 'entered'),
    sample('solved', 'solved'),
    h('li', {}, h('span', { class: 'sample noted', 'aria-hidden': 'true', text: '5' }), 'your note'),
    h('li', {}, h('span', { class: 'sample wrong', 'aria-hidden': 'true', text: '5' }), 'breaks a rule'),
    h('li', {}, h('span', { class: 'sample lit', 'aria-hidden': 'true', text: '5' }), 'reason'),
    h('li', {}, h('span', { class: 'sample lost', 'aria-hidden': 'true', text: '5' }), 'ruled out'),
  );
}
