/**
 * The Gem Hunter board on the page. A canvas paints what can be seen of it, so that a million cells scroll smoothly;
 * for keyboard and screen readers the frame around it is a grid by the ARIA pattern, in which the cell in focus is a
 * real element (`aria-activedescendant`) that says what it is.
 *
 * Ids: gem-grid (role grid; takes the focus; `data-size` is the side of a cell in pixels), gem-cell (the cell in
 * focus; `data-row`, `data-column` from 1, `data-content`, `data-mark`, `data-kind`).
 */
import { h } from './dom.js';
import { cellByKey } from './grid-keys.js';
import { NONE, UNKNOWN, word } from './gem-board.js';
import { colours, frame, paintCell } from './gem-paint.js';

/** Sides of a cell in pixels that there are to choose from. */
const SIZES = [2, 4, 6, 8, 10, 13, 16, 20, 24, 28, 32, 38, 44, 52];
/** The size that a board gets by itself, at least: fingers and eyes need it. */
const COMFORTABLE = 24;
/** The size that a board gets by itself, at most, and the height of a whole board. */
const LARGEST = 44;
const HIGHEST = 760;

export class BoardView {
  /** @param {{act, key, focus}} on `act(cell, how)` for a click (how: {drag, second}), `key(cell, event)` for a key */
  constructor(on, theme) {
    this.on = on;
    this.at = 0;
    this.size = 32;
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.row = h('div', { role: 'row', class: 'gem-row' });
    this.space = h('div', { class: 'gem-space', role: 'presentation' }, this.canvas, this.row);
    this.grid = h(
      'div',
      {
        id: 'gem-grid',
        class: 'gem-grid',
        role: 'grid',
        tabindex: 0,
        'aria-describedby': 'gem-keys',
        on: {
          scroll: () => this.soon(),
          keydown: (event) => this.key(event),
          focus: () => this.soon(),
          blur: () => this.soon(),
          pointerdown: (event) => this.press(event),
          pointermove: (event) => this.move(event),
          click: (event) => this.tap(event),
          contextmenu: (event) => event.preventDefault(),
        },
      },
      this.space,
    );
    this.element = h('div', { class: 'gem-frame' }, this.grid);
    new ResizeObserver(() => this.soon()).observe(this.element);
    theme.onChange(() => {
      this.colours = null;
      this.soon();
    });
  }

  /** Shows a board with what was found out about it. A board of another size gets the cell size that suits it. */
  paint(state, found) {
    const other = this.state?.rows !== state.rows || this.state?.columns !== state.columns;
    this.state = state;
    this.found = found;
    if (other) {
      this.at = 0;
      this.fit();
      this.grid.setAttribute('aria-rowcount', state.rows);
      this.grid.setAttribute('aria-colcount', state.columns);
      this.grid.setAttribute('aria-label', `Gem Hunter, ${state.rows} rows of ${state.columns} cells`);
    }
    this.describe();
    this.soon();
  }

  /** The largest size at which the board fits, but none that is too small to use. */
  fit() {
    const room = (this.element.clientWidth || 640) - 8;
    const fits = Math.floor(Math.min(room / this.state.columns, HIGHEST / this.state.rows, LARGEST));
    this.resize(Math.max(COMFORTABLE, fits));
  }

  /** One size larger (1) or smaller (-1). */
  zoom(by) {
    const larger = SIZES.find((size) => size > this.size) ?? SIZES.at(-1);
    const smaller = SIZES.findLast((size) => size < this.size) ?? SIZES[0];
    this.resize(by > 0 ? larger : smaller);
    this.show(this.at);
  }

  resize(size) {
    this.size = size;
    this.grid.dataset.size = size;
    this.space.style.setProperty('width', `${size * this.state.columns + 1}px`);
    this.space.style.setProperty('height', `${size * this.state.rows + 1}px`);
    this.describe();
    this.soon();
  }

  /** Paints before the next frame. */
  soon() {
    if (this.waiting || !this.state) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  draw() {
    const { size, grid, canvas, state, found } = this;
    const [width, height] = [
      Math.min(grid.clientWidth, this.space.offsetWidth),
      Math.min(grid.clientHeight, this.space.offsetHeight),
    ];
    if (width === 0 || height === 0) return; // the tab is not shown
    const dots = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * dots) || canvas.height !== Math.round(height * dots)) {
      canvas.width = Math.round(width * dots);
      canvas.height = Math.round(height * dots);
      canvas.style.setProperty('width', `${width}px`);
      canvas.style.setProperty('height', `${height}px`);
    }
    this.colours ??= colours(this.element);
    const pen = canvas.getContext('2d', { alpha: false });
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.fillStyle = this.colours.line;
    pen.fillRect(0, 0, width, height);
    const [left, top] = [grid.scrollLeft, grid.scrollTop];
    const [from, to] = [Math.floor(top / size), Math.min(state.rows, Math.ceil((top + height) / size))];
    const [first, last] = [Math.floor(left / size), Math.min(state.columns, Math.ceil((left + width) / size))];
    const gap = size >= 8 ? 1 : 0;
    for (let row = from; row < to; row += 1) {
      for (let column = first; column < last; column += 1) {
        const at = row * state.columns + column;
        paintCell(pen, this.colours, column * size - left + gap, row * size - top + gap, size - gap, {
          content: state.cells[at],
          mark: state.marks[at],
          kind: found.kinds?.[at] ?? null,
          answer: found.answer?.[at] ?? NONE,
          chance: found.chances?.[at] ?? null,
          lit: found.lit.has(at),
          asked: found.asked === at,
          wrong: found.wrong.has(at),
        });
      }
    }
    const [row, column] = [Math.floor(this.at / state.columns), this.at % state.columns];
    const focused = document.activeElement === grid;
    frame(
      pen,
      focused ? this.colours.focus : this.colours.accent,
      column * size - left,
      row * size - top,
      size + 1,
      focused ? 3 : 2,
    );
  }

  /** The cell in focus as an element: made anew, so that screen readers notice it. */
  describe() {
    const { state, found, at } = this;
    const [row, column] = [Math.floor(at / state.columns), at % state.columns];
    const content = word(state.cells[at]);
    const told = state.cells[at] < UNKNOWN ? `number ${content}` : content;
    const mark = state.marks[at] === NONE ? '' : word(state.marks[at]);
    const kind =
      found.kinds?.[at] && found.kinds[at] !== 'number' && state.cells[at] === UNKNOWN ? found.kinds[at] : '';
    const chance = found.chances?.[at];
    const answer = found.answer?.[at] ? word(found.answer[at]) : '';
    const label = [
      `Row ${row + 1}, column ${column + 1}`,
      told,
      mark && `marked ${mark}`,
      kind &&
        {
          trap: 'certainly a trap',
          gem: 'certainly a gem',
          undecided: 'undecided',
          free: 'free: no number touches it',
        }[kind],
      answer && `${answer} in the answer shown`,
      typeof chance === 'number' && kind === 'undecided' && `trap with ${(100 * chance).toFixed(1)} percent`,
      found.wrong.has(at) && 'breaks a rule',
      found.lit.has(at) && 'part of the reason',
    ]
      .filter(Boolean)
      .join(', ');
    const cell = h('div', {
      id: 'gem-cell',
      role: 'gridcell',
      'aria-colindex': column + 1,
      'aria-selected': 'true',
      'aria-label': label,
      style: {
        left: `${column * this.size}px`,
        top: `${row * this.size}px`,
        width: `${this.size}px`,
        height: `${this.size}px`,
      },
      dataset: { row: row + 1, column: column + 1, content, mark, kind, chance: chance ?? '' },
    });
    this.row.setAttribute('aria-rowindex', row + 1);
    this.row.replaceChildren(cell);
    this.grid.setAttribute('aria-activedescendant', 'gem-cell');
    this.label = label;
  }

  /** Puts the focus on a cell and brings it into sight. */
  go(at) {
    this.at = at;
    this.describe();
    this.show(at);
    this.on.focus?.(at);
  }

  show(at) {
    const { size, grid, state } = this;
    const [top, left] = [Math.floor(at / state.columns) * size, (at % state.columns) * size];
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + size + 1 > grid.scrollTop + grid.clientHeight) grid.scrollTop = top + size + 1 - grid.clientHeight;
    if (left < grid.scrollLeft) grid.scrollLeft = left;
    else if (left + size + 1 > grid.scrollLeft + grid.clientWidth)
      grid.scrollLeft = left + size + 1 - grid.clientWidth;
    this.soon();
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const { rows, columns } = this.state;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / this.size) - 1);
    const to = cellByKey(event, this.at, { rows, columns, page });
    if (to !== null) {
      event.preventDefault();
      this.go(to);
      return;
    }
    if (event.ctrlKey) return;
    if (event.key === '+' || event.key === '-') {
      event.preventDefault();
      this.zoom(event.key === '+' ? 1 : -1);
    } else if (this.on.key(this.at, event)) {
      event.preventDefault();
    }
  }

  /** The cell under a pointer, or -1. */
  under(event) {
    const box = this.grid.getBoundingClientRect();
    const x = event.clientX - box.left - this.grid.clientLeft + this.grid.scrollLeft;
    const y = event.clientY - box.top - this.grid.clientTop + this.grid.scrollTop;
    const [row, column] = [Math.floor(y / this.size), Math.floor(x / this.size)];
    const { rows, columns } = this.state;
    const outside =
      event.clientX > box.left + this.grid.clientLeft + this.grid.clientWidth ||
      event.clientY > box.top + this.grid.clientTop + this.grid.clientHeight;
    return outside || row < 0 || row >= rows || column < 0 || column >= columns ? -1 : row * columns + column;
  }

  /** A mouse acts at once and draws on while it is held; a finger may be scrolling, and acts when it is lifted. */
  press(event) {
    this.pointer = event.pointerType;
    const at = this.under(event);
    if (event.pointerType !== 'mouse' || at < 0 || event.button === 1) return;
    this.go(at);
    this.held = true;
    this.on.act(at, { drag: false, second: event.button === 2 });
  }

  move(event) {
    if (event.pointerType !== 'mouse' || !this.held) return;
    if (event.buttons === 0) {
      this.held = false;
      return;
    }
    const at = this.under(event);
    if (at < 0 || at === this.at) return;
    this.go(at);
    this.on.act(at, { drag: true, second: (event.buttons & 2) !== 0 });
  }

  tap(event) {
    if (this.pointer === 'mouse') {
      this.held = false;
      return;
    }
    const at = this.under(event);
    if (at < 0) return;
    this.go(at);
    this.on.act(at, { drag: false, second: false });
  }
}
