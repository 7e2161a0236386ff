/**
 * The Sudoku board on the page, by the ARIA pattern of a grid: one cell is in the tab order, arrow keys, Home, End
 * and Page keys move, digits enter. The board shows a state and marks and reports what somebody does; it decides
 * nothing.
 *
 * Cells have ids `sudoku-r1c1` … (rows and columns from 1), role gridcell, and `data-status` (empty, given, entered,
 * solved), `data-region` (A, B …). The grid has id `sudoku-grid`.
 *
 * @typedef {object} Marks
 * @property {Set<number>} wrong cells that break a rule
 * @property {Set<number>} lit cells that explain something
 * @property {number} hint the cell of a hint, or -1
 * @property {number[][]|null} candidates by cell
 * @property {Map<number, number[]>} lost values that a hint rules out, by cell
 */
import { h } from './dom.js';
import { cellByKey } from './grid-keys.js';
import { told } from './sudoku-clues.js';
import { drawClues } from './sudoku-clues-draw.js';
import { inWindow, regionName, tints } from './sudoku-regions.js';
import { STATUS_NAMES } from './sudoku-sheet.js';

/** Beyond this side, values and groups that belong to the cell in focus are not lit: it would take too long. */
const LARGEST_LIVELY = 36;
/** Candidates that are shown at most, each an element of the page; of more, only those of cells with few of them. */
const MOST_CANDIDATES = 20000;
const FEW = 4;
/** The smallest digits that can be read, in pixels: a cell whose candidates would be smaller tells how many it has. */
const READABLE = 7.5;
/** The font size of a candidate of two digits that is alone in its cell, as a share of the cell: as in sudoku.css. */
const SHARE = 0.66;
/** Candidates of a cell that are said at most. */
const MOST_SAID = 25;
/** The largest side whose candidates each have a place of their own: those of two digits come one after the other. */
const PLACES = 9;
/** Sizes of cells, as multiples of the first. */
const ZOOMS = [1, 1.4, 2, 2.8];

export class GridView {
  /** @param {{digit, erase, end, notes, colours, focus, paint, step}} on what is called, most of it with a cell */
  constructor(on) {
    this.on = on;
    this.at = 0;
    this.drawing = false;
    this.grid = h('div', {
      role: 'grid',
      id: 'sudoku-grid',
      'aria-multiselectable': 'true',
      class: 'sudoku-grid',
      'aria-describedby': 'sudoku-keys',
      on: {
        keydown: (event) => this.key(event),
        focusin: (event) => this.focused(event.target),
        pointerdown: (event) => this.press(event),
        pointermove: (event) => this.drag(event),
      },
    });
    this.element = h('div', { class: 'sudoku-board' }, this.grid);
    new ResizeObserver(() => {
      if (this.state && this.marks.candidates && this.readable !== Math.min(this.fewest, this.fitting())) {
        this.paint(this.state, this.marks);
      }
    }).observe(this.grid);
    this.cells = [];
    this.zoomed = 0;
    /** Cells that are chosen together; one that is chosen alone is the one in focus. */
    this.chosen = new Set();
    /** True if each press chooses a cell more, or one less. */
    this.several = false;
  }

  /** The cells that typing means: those that are chosen, or the one in focus. */
  get targets() {
    return this.isChoice ? [...this.chosen] : [this.at];
  }

  get isChoice() {
    return this.chosen.size > (this.several ? 0 : 1);
  }

  /** From now on each press chooses a cell more, or one less, as a finger cannot hold Shift; or not any more. */
  chooseSeveral(on) {
    this.several = on;
    this.grid.classList.toggle('several', on);
    this.choose();
  }

  /** Chooses cells together, or, without any, the one in focus alone. */
  choose(cells = []) {
    const before = this.chosen;
    this.chosen = new Set(cells);
    const shown = this.isChoice ? this.chosen : new Set();
    for (const at of new Set([...before, ...cells])) {
      this.cells[at]?.classList.toggle('chosen', shown.has(at));
      if (this.cells[at]) flag(this.cells[at], 'aria-selected', shown.has(at));
    }
  }

  /** Cells become larger (1) or smaller (−1); the board scrolls where it is larger than the window. */
  zoom(by) {
    const before = this.zoomed;
    this.zoomed = Math.max(0, Math.min(ZOOMS.length - 1, this.zoomed + by));
    this.grid.style.setProperty('--zoom', ZOOMS[this.zoomed]);
    this.grid.classList.toggle('zoomed', this.zoomed > 0);
    if (this.state) this.paint(this.state, this.marks);
    this.cells[this.at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return this.zoomed !== before;
  }

  /** Makes the cells of a layout anew. */
  build(layout) {
    this.choose();
    this.layout = layout;
    const { n } = layout;
    this.at = Math.min(this.at, n * n - 1);
    this.cells = [];
    this.grid.style.setProperty('--n', n);
    this.grid.dataset.size = n > 25 ? 'huge' : n > 12 ? 'large' : 'small';
    this.grid.setAttribute('aria-label', `Sudoku, ${n} rows of ${n} cells`);
    const rows = Array.from({ length: n }, (_, row) =>
      h(
        'div',
        { role: 'row', class: 'sudoku-row' },
        ...Array.from({ length: n }, (_, column) => {
          const cell = h('div', { role: 'gridcell', id: `sudoku-r${row + 1}c${column + 1}`, tabindex: -1 });
          this.cells.push(cell);
          return cell;
        }),
      ),
    );
    this.clues = drawClues(layout);
    this.grid.replaceChildren(...rows, this.clues);
    this.cells[this.at].tabIndex = 0;
    this.index = new Map(this.cells.map((cell, at) => [cell, at]));
    this.regions(layout);
  }

  /** Shows where regions are: grounds, thick borders, diagonals, windows, clues. */
  regions(layout) {
    this.layout = layout;
    const { n, regions, diagonals, windows, clues } = layout;
    const drawn = drawClues(layout);
    this.clues.replaceWith(drawn);
    this.clues = drawn;
    this.told = new Map();
    for (const clue of clues) {
      for (const cell of clue.cells) this.told.set(cell, [...(this.told.get(cell) ?? []), told(clue, cell)]);
    }
    const grounds = regions && tints(n, regions);
    const region = (cell) => (regions ? regions[cell] : 0);
    this.cells.forEach((cell, at) => {
      const [row, column] = [Math.floor(at / n), at % n];
      const classes = ['cell'];
      if (regions) classes.push(region(at) < 0 ? 'tint-none' : `tint-${grounds[region(at)]}`);
      if (row > 0 && region(at) !== region(at - n)) classes.push('edge-top');
      if (column > 0 && region(at) !== region(at - 1)) classes.push('edge-left');
      if (diagonals && row === column) classes.push('falling');
      if (diagonals && row + column === n - 1) classes.push('rising');
      if (windows && inWindow(n, at)) classes.push('window');
      cell.className = classes.join(' ');
      cell.dataset.region = regions ? regionName(region(at)) : '';
    });
  }

  /** Shows a state with marks. */
  paint(state, marks) {
    if (state.layout.n !== this.layout?.n) this.build(state.layout);
    else if (state.layout !== this.layout) this.regions(state.layout);
    this.state = state;
    this.marks = marks;
    this.grid.classList.toggle('drawing', this.drawing);
    const candidates = marks.candidates?.reduce((sum, list) => sum + list.length, 0) ?? 0;
    /** Candidates of cells with more than these are told as a number. */
    this.fewest = candidates > MOST_CANDIDATES ? FEW : Infinity;
    this.readable = Math.min(this.fewest, this.fitting());
    this.cells.forEach((cell, at) => this.paintCell(cell, at));
    this.lively();
  }

  /** Candidates of a cell that can be read; those of one digit always can. */
  fitting() {
    const { n } = this.layout;
    const side = this.grid.clientWidth / n;
    if (n <= PLACES || side === 0) return Infinity;
    return Math.max(1, Math.floor((SHARE * side) / READABLE)) ** 2;
  }

  paintCell(cell, at) {
    const value = this.state.values[at];
    const status = STATUS_NAMES[this.state.status[at]];
    const open = value === 0 && !this.drawing;
    const lost = (open && this.marks.lost.get(at)) || null;
    const all = open ? this.marks.candidates?.[at]?.filter((one) => !lost?.includes(one)) : null;
    const candidates = all?.length <= this.readable ? all : null;
    const counted = all && !candidates ? all.length : 0;
    const notes = (open && this.state.notes.get(at)) || null;
    const text = this.drawing
      ? cell.dataset.region === 'none'
        ? ''
        : cell.dataset.region
      : value > 0
        ? String(value)
        : '';
    // Where there are too many of them, a number in each cell would be too much, too.
    const told = this.fewest < Infinity ? 0 : counted;
    const small = candidates || notes || lost || told;
    const shows = small ? `?${candidates?.join(',') ?? told}!${notes?.join(',') ?? ''}!${lost ?? ''}` : text;
    if (cell.dataset.shows !== shows) {
      cell.dataset.shows = shows;
      const count = () => h('span', { class: 'count', 'aria-hidden': 'true', 'data-count': counted });
      const written = () => (small ? this.small(candidates, notes ?? [], lost ?? []) : text);
      cell.replaceChildren(told && !notes && !lost ? count() : written());
      cell.dataset.length = text.length;
    }
    const wrong = this.marks.wrong.has(at);
    const colour = (!this.drawing && this.state.colours.get(at)?.[0]) || '';
    const [lit, hinted] = [this.marks.lit.has(at), this.marks.hint === at];
    cell.dataset.status = status;
    cell.dataset.colour = colour;
    cell.classList.toggle('wrong', wrong);
    cell.classList.toggle('lit', lit);
    cell.classList.toggle('hinted', hinted);
    const label = [
      `Row ${Math.floor(at / this.layout.n) + 1}, column ${(at % this.layout.n) + 1}`,
      value > 0 ? `${value}, ${status}` : 'empty',
      this.layout.regions && `region ${cell.dataset.region}`,
      ...(this.told.get(at) ?? []),
      candidates && `candidates ${candidates.join(' ') || 'none'}`,
      counted && (all.length <= MOST_SAID ? `candidates ${all.join(' ')}` : `${counted} candidates`),
      notes && `notes ${notes.join(' ')}`,
      colour && `colour ${colour}`,
      lost && `ruled out ${lost.join(' ')}`,
      wrong && 'breaks a rule',
      lit && 'part of the reason',
      hinted && 'hint',
    ]
      .filter(Boolean)
      .join(', ');
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
    flag(cell, 'aria-invalid', wrong);
    flag(cell, 'aria-readonly', status === 'given');
  }

  /**
   * Candidates and notes in small; notes that are no candidates are struck out, as is what a hint rules out. Values of
   * one digit have places of their own; of two digits, a cell with few of them shows them larger.
   */
  small(candidates, notes, lost) {
    const { n } = this.layout;
    const all = [...new Set([...(candidates ?? []), ...notes, ...lost])].sort((a, b) => a - b);
    const across = Math.max(2, Math.ceil(Math.sqrt(n <= PLACES ? n : all.length)));
    const box = h('span', {
      class: n <= PLACES ? 'candidates' : 'candidates wide',
      'aria-hidden': 'true',
      style: { '--across': across },
    });
    const place = (value) => (n <= PLACES ? value - 1 : all.indexOf(value));
    const mere = (candidates ?? []).filter((value) => !notes.includes(value)).map((value) => [value, null]);
    const out = (value) => lost.includes(value) || (candidates && !candidates.includes(value));
    const noted = notes.map((value) => [value, out(value) ? 'noted out' : 'noted']);
    const gone = lost.filter((value) => !notes.includes(value)).map((value) => [value, 'lost']);
    box.append(
      ...[...mere, ...noted, ...gone].map(([value, name]) =>
        h('span', {
          class: name,
          'data-value': value, // shown by the style sheet: to a screen reader, the cell's label says it
          style: { 'grid-column': (place(value) % across) + 1, 'grid-row': Math.floor(place(value) / across) + 1 },
        }),
      ),
    );
    return box;
  }

  /** Lights the row, column and region of the cell in focus, and cells with its value. */
  lively() {
    const { n, regions } = this.layout;
    if (n > LARGEST_LIVELY || !this.state) return;
    const value = this.state.values[this.at];
    this.cells.forEach((cell, at) => {
      const seen =
        Math.floor(at / n) === Math.floor(this.at / n) ||
        at % n === this.at % n ||
        (regions && regions[at] >= 0 && regions[at] === regions[this.at]);
      cell.classList.toggle('seen', !this.drawing && Boolean(seen));
      cell.classList.toggle('alike', !this.drawing && value > 0 && this.state.values[at] === value);
      cell.classList.toggle('current', at === this.at);
    });
  }

  /** Puts the keyboard's focus on a cell. */
  go(at) {
    this.cells[at].focus();
  }

  focused(target) {
    const at = this.index?.get(target);
    if (at === undefined) return;
    if (at !== this.at) {
      this.cells[this.at].tabIndex = -1;
      this.at = at;
      this.cells[at].tabIndex = 0;
      this.lively();
    }
    this.on.focus(at);
  }

  key(event) {
    if (event.altKey || (event.metaKey && event.key !== 'z')) return;
    const { n } = this.layout;
    const page = Math.max(1, Math.round(Math.sqrt(n)));
    const to = cellByKey(event, this.at, { rows: n, columns: n, page });
    if (to !== null) {
      event.preventDefault();
      const before = this.at;
      this.go(to);
      if (this.drawing && event.shiftKey) this.on.paint(this.at);
      else if (event.shiftKey) this.choose([...this.chosen, before, to]);
      else this.choose();
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (this.drawing) this.drawKey(event);
    else if (/^[0-9]$/.test(event.key)) this.take(event, () => this.on.digit(this.at, Number(event.key)));
    else if (['Delete', 'Backspace', ' '].includes(event.key)) this.take(event, () => this.on.erase(this.at));
    else if (event.key === ',') this.take(event, () => this.on.end());
    else if (event.key.toLowerCase() === 'n') this.take(event, () => this.on.notes());
    else if (event.key.toLowerCase() === 'c') this.take(event, () => this.on.colours());
  }

  /** Keys while regions are drawn: a letter or + and − choose the region, Space and Enter put the cell into it. */
  drawKey(event) {
    if (event.key === ' ' || event.key === 'Enter') this.take(event, () => this.on.paint(this.at));
    else if (event.key === 'Delete' || event.key === 'Backspace') this.take(event, () => this.on.erase(this.at));
    else if (event.key === '+' || event.key === '-') this.take(event, () => this.on.step(event.key === '+' ? 1 : -1));
    else if (/^[a-z]$/i.test(event.key)) {
      this.take(event, () => this.on.step(0, event.key.toUpperCase().charCodeAt(0) - 65));
    }
  }

  take(event, act) {
    event.preventDefault();
    act();
  }

  press(event) {
    const at = this.index?.get(event.target.closest('[role=gridcell]'));
    if (at === undefined || event.button !== 0) return;
    const more = this.several || event.ctrlKey || event.metaKey || event.shiftKey;
    const before = more ? [...this.chosen, ...(this.several ? [] : [this.at])] : [];
    this.go(at);
    if (!this.drawing) {
      this.choose(more && this.chosen.has(at) ? before.filter((cell) => cell !== at) : [...before, at]);
      return;
    }
    event.preventDefault();
    event.target.releasePointerCapture?.(event.pointerId);
    this.on.paint(at);
  }

  drag(event) {
    // A finger that moves scrolls, unless it chooses or draws.
    if ((event.buttons & 1) === 0 || !(this.drawing || this.several || event.pointerType === 'mouse')) return;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('[role=gridcell]');
    const at = this.index?.get(under);
    if (at !== undefined && at !== this.at) {
      this.go(at);
      if (this.drawing) this.on.paint(at);
      else this.choose([...this.chosen, at]);
    }
  }
}

function flag(element, name, on) {
  if (on) element.setAttribute(name, 'true');
  else element.removeAttribute(name);
}
