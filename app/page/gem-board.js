/**
 * A Gem Hunter board being edited and played: its cells, the player's marks, the total of traps if one is known, what
 * was before. Nothing here knows the page. Cells are small numbers: 0 to 8 are themselves.
 *
 * @typedef {object} State
 * @property {number} rows
 * @property {number} columns
 * @property {Uint8Array} cells row by row
 * @property {Uint8Array} marks of the player: NONE, TRAP or GEM; only where a cell is UNKNOWN
 * @property {number|null} total traps on the board, if that is known
 */

import { History } from './history.js';

export const UNKNOWN = 9,
  TRAP = 10,
  GEM = 11,
  HOLE = 12,
  NONE = 0;
/** Signs of the crate's text format, by cell. */
const SIGNS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '_', 'T', 'G', '#'];
/** The largest board. */
export const MOST = 1000;
/** The largest board that is kept over a reload, in cells: writing it at every change would take too long. */
const MOST_KEPT = 40_000;
/** Cells that undo remembers at most, over all states. */
const MEMORY = 8_000_000;
/** The longest address that is offered: longer ones are cut by mail and chat programs. */
const LONGEST_ADDRESS = 8000;

/** A board of cells not known. */
export function blank(rows, columns) {
  return {
    rows,
    columns,
    total: null,
    cells: new Uint8Array(rows * columns).fill(UNKNOWN),
    marks: new Uint8Array(rows * columns),
  };
}

/** A board from the server's rows of signs. */
export function fromRows(rows, total = null) {
  const cells = Uint8Array.from(rows.flat(), (sign) => {
    const cell = SIGNS.indexOf(String(sign).trim());
    return cell < 0 ? UNKNOWN : cell;
  });
  return { rows: rows.length, columns: rows[0]?.length ?? 0, total, cells, marks: new Uint8Array(cells.length) };
}

/** Lines of signs for the server; marks are cells of the board there if `marked`. */
export function toLines({ rows, columns, cells, marks }, marked = false) {
  const sign = (at) => SIGNS[marked && cells[at] === UNKNOWN && marks[at] !== NONE ? marks[at] : cells[at]];
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => sign(row * columns + column)).join(''),
  );
}

/** A board as text, to be kept; null if it is too large. */
export const toKept = (state) => (state.cells.length > MOST_KEPT ? null : toAddress(state, Infinity));

/** The cells around one. */
function around({ rows, columns }, at) {
  const [row, column] = [Math.floor(at / columns), at % columns];
  const found = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r += 1) {
    for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c += 1) {
      if (r !== row || c !== column) found.push(r * columns + c);
    }
  }
  return found;
}

/**
 * The cells that opening one uncovers, of a board that is played: a number, and around a 0 all that follows.
 *
 * @param {State} state
 * @param {Uint8Array} answer where the traps are
 * @returns {Map<number, number>} contents by cell: a trap, or numbers
 */
export function opened(state, answer, first) {
  if (answer[first] === TRAP) return new Map([[first, TRAP]]);
  const found = new Map();
  const open = [first];
  while (open.length > 0) {
    const at = open.pop();
    if (found.has(at) || state.cells[at] !== UNKNOWN) continue;
    const beside = around(state, at);
    const traps = beside.filter((one) => answer[one] === TRAP).length;
    found.set(at, traps);
    if (traps === 0) open.push(...beside);
  }
  return found;
}

/** What was found out about a board about which nothing was asked yet. */
export function nothing() {
  return { kinds: null, chances: null, answer: null, lit: new Set(), wrong: new Set(), asked: -1 };
}

/** A cell's content in words; a number is itself. */
export function word(cell) {
  return { [UNKNOWN]: 'unknown', [TRAP]: 'trap', [GEM]: 'gem', [HOLE]: 'hole' }[cell] ?? String(cell);
}

/** A board, for undo and redo. */
export class Board extends History {
  /** @param {State} state */
  constructor(state) {
    super(state, ({ cells }) => Math.max(20, Math.floor(MEMORY / (2 * cells.length))));
  }

  /** Puts a content into a cell; its mark goes. False if nothing changes. `more` continues the step before. */
  put(at, cell, more = false) {
    if (this.now.cells[at] === cell && this.now.marks[at] === NONE) return false;
    const cells = Uint8Array.from(this.now.cells);
    const marks = Uint8Array.from(this.now.marks);
    cells[at] = cell;
    marks[at] = NONE;
    this.next({ ...this.now, cells, marks }, more);
    return true;
  }

  /** Puts contents into cells, as one step; their marks go. */
  putAll(contents) {
    const cells = Uint8Array.from(this.now.cells);
    const marks = Uint8Array.from(this.now.marks);
    contents.forEach((cell, at) => {
      cells[at] = cell;
      marks[at] = NONE;
    });
    this.become({ ...this.now, cells, marks });
  }

  /** Marks a cell that is not known. */
  mark(at, mark, more = false) {
    if (this.now.cells[at] !== UNKNOWN || this.now.marks[at] === mark) return false;
    const marks = Uint8Array.from(this.now.marks);
    marks[at] = mark;
    this.next({ ...this.now, marks }, more);
    return true;
  }

  /** All marks at once, from a function of the cell. */
  markAll(markOf) {
    const marks = Uint8Array.from(this.now.cells, (cell, at) => (cell === UNKNOWN ? markOf(at) : NONE));
    if (marks.every((mark, at) => mark === this.now.marks[at])) return false;
    this.become({ ...this.now, marks });
    return true;
  }

  next(state, more) {
    if (more) this.now = state;
    else this.become(state);
  }
}

/**
 * What follows `#gem/` in an address: rows, columns, total or -, cells, marks. Null if that gets longer than `most`.
 */
export function toAddress(state, most = LONGEST_ADDRESS) {
  const of = (list, signs) =>
    Array.from(list, (cell) => signs[cell])
      .join('')
      .replace(/(.)\1{3,}/g, (run, sign) => `${sign}(${run.length})`);
  const parts = [state.rows, state.columns, state.total ?? '-', of(state.cells, '012345678.TGH')];
  if (state.marks.some((mark) => mark !== NONE)) {
    parts.push(
      of(
        state.marks.map((mark) => (mark === TRAP ? 1 : mark === GEM ? 2 : 0)),
        '.TG',
      ),
    );
  }
  const text = parts.join('/');
  return text.length > most ? null : text;
}

/** Writes runs such as `.(12)` out, and stops beyond `most` signs: an address may come from anybody. */
function unfold(text, most) {
  let long = '';
  for (const [, sign, times] of text.matchAll(/(.)(?:\((\d{1,7})\))?/gs)) {
    long += sign.repeat(Math.min(Number(times ?? 1), most + 1));
    if (long.length > most) break;
  }
  return long;
}

/**
 * A board from an address.
 * @throws {{error: string, where: string, status: number}} if it is no such address
 */
export function fromAddress(text) {
  const wrong = (what) => ({
    error: `This address is not a Gem Hunter board: ${what}.`,
    where: 'address',
    status: 0,
  });
  const [rows, columns, total, cells, marks] = text.split('/');
  const [height, width] = [Number(rows), Number(columns)];
  if (![height, width].every((side) => Number.isInteger(side) && side >= 1 && side <= MOST)) {
    throw wrong(`rows and columns are from 1 to ${MOST}`);
  }
  const read = (list, signs) => {
    const signed = unfold(list ?? '', height * width);
    if (signed.length !== height * width || [...signed].some((sign) => !signs.includes(sign))) {
      throw wrong(`it does not have ${height} × ${width} cells`);
    }
    return Uint8Array.from(signed, (sign) => signs.indexOf(sign));
  };
  const state = blank(height, width);
  state.cells = read(cells, '012345678.TGH');
  if (marks !== undefined) state.marks = read(marks, '.TG').map((mark) => [NONE, TRAP, GEM][mark]);
  if (/^\d+$/.test(total)) state.total = Number(total);
  return state;
}
