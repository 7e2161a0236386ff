/**
 * The Gem Hunter tab: puts the board, its controls and the questions together and holds what they share.
 *
 * A number is the count of traps among the eight cells around it; every other cell is a trap or a gem.
 *
 * Ids: gem-tool (radio buttons gem-tool-mark, gem-tool-edit, gem-tool-why, gem-tool-open), gem-brush (radio buttons
 * gem-brush-9 unknown, gem-brush-0 … gem-brush-8, gem-brush-10 trap, gem-brush-11 gem, gem-brush-12 hole), gem-undo,
 * gem-redo, gem-smaller, gem-fit, gem-larger, gem-grid and gem-cell (gem-view.js), gem-total, gem-dock-deduce, -why,
 * -check, -guess and -play (phones only); the questions' ids are in gem-ask.js and gem-play.js, those of text and files
 * in gem-text.js.
 */
import { bar, button, field, h, keys, named, number, onPaste } from './dom.js';
import { stepByKey } from './history.js';
import { Kept, reloaded } from './kept.js';
import { Work } from './work.js';
import { Board, GEM, HOLE, MOST, NONE, TRAP, UNKNOWN, fromAddress, fromRows, nothing, toKept } from './gem-board.js';
import { BoardView } from './gem-view.js';
import { questions } from './gem-ask.js';
import { texts } from './gem-text.js';

/** A board with certain traps and gems, undecided cells and a free one: seed 1, 22 % traps, 42 % shown. */
const FIRST = [
  '____1001222_',
  '_1__2_01__2_',
  '_______1___2',
  '1_2_21_12_2_',
  '1___11____42',
  '___1_1__5__1',
  '1__2_2___3__',
  '012____2_1__',
  '01_4_22__1__',
  '_12_11____1_',
];
const KEYS = `Arrow keys, Home, End and Page keys move. T marks a trap, G a gem, Delete removes the mark; Enter does
  what a click does, W asks why, + and − change the size. When a click edits, digits, T, G, # and Delete set the
  content. Ctrl+Z takes back, Ctrl+Y does again, Ctrl+V pastes a board, Escape cancels.`;

const BRUSHES = [
  [UNKNOWN, 'Unknown'],
  ...Array.from({ length: 9 }, (_, n) => [n, String(n)]),
  [TRAP, 'Trap'],
  [GEM, 'Gem'],
  [HOLE, 'Hole'],
];

export function start(root, tools) {
  const app = new GemHunter(root, tools);
  tools.onHash('gem', (rest) => app.open(rest));
}

class GemHunter {
  constructor(root, tools) {
    this.tools = tools;
    this.work = new Work('gem', tools);
    this.board = new Board(fromRows(FIRST.map((row) => [...row])));
    this.kept = new Kept('gem', () => this.board, toKept, fromAddress);
    this.restored = this.kept.restore(this.board);
    this.found = nothing();
    this.tool = 'mark';
    this.brush = UNKNOWN;
    this.view = new BoardView(
      {
        act: (at, how) => this.act(at, how),
        key: (at, event) => this.key(at, event),
        focus: () => this.follow(),
      },
      tools.theme,
    );
    this.total = number('gem-total', '', 0, MOST ** 2, { placeholder: 'any' });
    this.total.addEventListener('change', () => this.setTotal());
    this.ask = questions(this);
    this.text = texts(this);
    this.layOut(root);
    this.changed();
  }

  layOut(root) {
    this.undoButton = button('gem-undo', 'Undo', () => this.step('undo'), { title: 'Ctrl+Z' });
    this.redoButton = button('gem-redo', 'Redo', () => this.step('redo'), { title: 'Ctrl+Y' });
    const tool = bar(
      'gem-tool',
      'A click',
      [
        ['mark', 'Marks'],
        ['edit', 'Edits'],
        ['why', 'Asks why'],
        ['open', 'Opens'],
      ],
      'mark',
      (value) => this.chooseTool(value),
    );
    this.palette = bar(
      'gem-brush',
      'Content',
      BRUSHES.map(([value, text]) => [String(value), text]),
      String(UNKNOWN),
      (value) => {
        this.brush = Number(value);
      },
    );
    this.palette.hidden = true;
    this.where = h('p', { class: 'note gem-where', 'aria-hidden': 'true' });
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
            tool,
            h('div', { class: 'buttons' }, this.undoButton, this.redoButton),
            h(
              'div',
              { class: 'buttons', role: 'group', 'aria-label': 'Size of cells' },
              named('gem-smaller', '−', 'Smaller cells', () => this.view.zoom(-1)),
              button('gem-fit', 'Fit', () => this.view.fit()),
              named('gem-larger', '+', 'Larger cells', () => this.view.zoom(1)),
            ),
          ),
          this.palette,
          this.view.element,
          this.where,
          this.dock(),
          legend(),
          keys('gem-keys', KEYS),
        ),
        h('div', { class: 'side' }, this.work.line, this.ask.element, this.text.element),
      ),
    );
    root.addEventListener('keydown', (event) => this.shortcut(event));
    onPaste(root, (text) => this.text.paste(text));
  }

  /** What is needed at every move, in sight on a phone. */
  dock() {
    const press = (id, text, name, act) => named(`gem-dock-${id}`, text, name, act);
    return h(
      'div',
      { class: 'dock' },
      h(
        'div',
        { class: 'dock-buttons', role: 'group', 'aria-label': 'At hand' },
        press('deduce', 'Deduce', 'Deduce', () => this.ask.deduce()),
        press('why', 'Why?', 'Why this cell?', () => this.ask.why()),
        press('check', 'Check', 'Check marks', () => this.ask.check()),
        press('guess', 'Guess', 'Best guess', () => this.ask.guess()),
        press('play', 'Play', 'Play', () => this.ask.play()),
      ),
    );
  }

  /* ---- what somebody does ---- */

  chooseTool(tool) {
    this.tool = tool;
    document.getElementById(`gem-tool-${tool}`).checked = true;
    this.palette.hidden = tool !== 'edit';
  }

  /** A click, a touch, or Enter. Drawing on continues the step of the first cell. */
  act(at, { drag, second }) {
    if (this.tool === 'why') {
      if (!drag) this.ask.why(at);
      return;
    }
    if (this.tool === 'open' && !second) {
      if (!drag) this.ask.open(at);
      return;
    }
    if (this.tool === 'edit') {
      this.did(this.board.put(at, second ? UNKNOWN : this.brush, drag && this.drawing), 'cells');
      this.drawing = true;
      return;
    }
    if (this.board.now.cells[at] !== UNKNOWN) {
      if (!drag) this.tools.say('This cell belongs to the board. Choose “Edits” to change it.', { heard: true });
      return;
    }
    if (!drag)
      this.marking = second
        ? this.other(at)
        : { [NONE]: TRAP, [TRAP]: GEM, [GEM]: NONE }[this.board.now.marks[at]];
    this.did(this.board.mark(at, this.marking ?? TRAP, drag), 'marks');
  }

  /** The mark of the other button: a trap where a click opens, else a gem; once more takes it back. */
  other(at) {
    const mark = this.tool === 'open' ? TRAP : GEM;
    return this.board.now.marks[at] === mark ? NONE : mark;
  }

  /** A key on the board; true if it means something. */
  key(at, event) {
    const key = event.key.toLowerCase();
    if (key === 'enter' || key === ' ') {
      this.act(at, { drag: false, second: false });
      return true;
    }
    if (key === 'w' || key === '?') {
      this.ask.why(at);
      return true;
    }
    const content = /^[0-8]$/.test(key)
      ? Number(key)
      : { t: TRAP, g: GEM, delete: UNKNOWN, backspace: UNKNOWN, _: UNKNOWN, '.': UNKNOWN, '#': HOLE }[key];
    if (content === undefined) {
      if (key === '9') this.tools.say('A cell has eight cells around it: numbers go from 0 to 8.');
      return key === '9';
    }
    if (this.tool === 'edit') this.did(this.board.put(at, content), 'cells');
    else if (content < UNKNOWN || content === HOLE) this.tools.say('Choose “Edits” to type numbers and holes.');
    else if (this.board.now.cells[at] !== UNKNOWN)
      this.tools.say('This cell belongs to the board. Choose “Edits” to change it.');
    else this.did(this.board.mark(at, content === UNKNOWN ? NONE : content), 'marks');
    return true;
  }

  did(something, what) {
    if (something) this.changed({ keep: what === 'marks' && !this.ask.marksCount() });
  }

  setTotal() {
    const text = this.total.value.trim();
    const total = text === '' ? null : Number(text);
    if (total !== null && (!Number.isInteger(total) || total < 0)) {
      this.tools.fail({ error: `The total is a whole number, or empty; found ${text}.`, where: 'total', status: 0 });
      return;
    }
    if (total !== this.board.now.total) this.become({ ...this.board.now, total });
  }

  become(state) {
    this.board.become(state);
    this.changed();
  }

  step(direction) {
    const before = this.board.now;
    if (!this.board[direction]()) {
      this.tools.say(`Nothing to ${direction}.`);
      return;
    }
    this.changed({ keep: before.cells === this.board.now.cells && !this.ask.marksCount() });
    this.tools.say(direction === 'undo' ? 'Undone.' : 'Done again.');
  }

  shortcut(event) {
    const what = stepByKey(event);
    if (what === null) return;
    event.preventDefault();
    this.step(what);
  }

  /** Shows the present state. What was found out about the cells stays if only marks have changed. */
  changed({ keep = false } = {}) {
    if (keep) this.found = { ...this.found, wrong: new Set() };
    else {
      this.found = nothing();
      this.ask.quiet();
    }
    this.paint();
    this.kept.changed();
    this.undoButton.setAttribute('aria-disabled', String(!this.board.canUndo));
    this.redoButton.setAttribute('aria-disabled', String(!this.board.canRedo));
    this.total.value = this.board.now.total ?? '';
    this.ask.follow();
  }

  paint() {
    this.view.paint(this.board.now, this.found);
    this.follow();
  }

  /** The line under the board says what the cell in focus is. */
  follow() {
    if (this.where) this.where.textContent = this.view.label ?? '';
  }

  /** Opens what an address says; not when the page is loaded anew, since what came of it was kept. */
  open(rest) {
    const again = this.restored && reloaded();
    this.restored = false;
    if (again) return;
    try {
      this.become(fromAddress(rest));
      this.ask.report('Opened from the address.');
    } catch (problem) {
      this.tools.fail(problem);
    }
  }
}

function legend() {
  const item = (name, text) => h('li', {}, h('span', { class: `gem-sample ${name}`, 'aria-hidden': 'true' }), text);
  return h(
    'ul',
    { class: 'legend', id: 'gem-legend', 'aria-label': 'What the signs mean' },
    item('trap', 'trap'),
    item('gem', 'gem'),
    item('mark-trap', 'your mark: trap'),
    item('mark-gem', 'your mark: gem'),
    item('sure-trap', 'certainly a trap'),
    item('sure-gem', 'certainly a gem'),
    item('undecided', 'undecided'),
    item('chance', 'trap in 23 percent of the answers'),
    item('free', 'free: no number touches it'),
    item('reason', 'reason'),
    item('wrong', 'breaks a rule'),
  );
}
