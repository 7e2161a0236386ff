/**
 * A Sudoku being played: its layout, the value and origin of each cell, what the player has noted in cells, and what
 * was before, for undo and redo. States are never changed in place, so a state kept somewhere stays what it was.
 *
 * A value hides the notes of its cell; they are there again once the value is taken back. It takes itself from the
 * notes of the cells that it sees, in the same step.
 *
 * @typedef {import('./sudoku-regions.js').Layout} Layout
 * @typedef {Map<number, number[]>} Notes values in order by cell; cells without notes are not in it
 * @typedef {{layout: Layout, values: Uint16Array, status: Uint8Array, notes: Notes, colours: Notes}} State the colours
 *   are numbers, of which a cell has at most one
 */
import { History } from './history.js';
import * as clueData from './sudoku-clues.js';
import { EXTRAS, asBoxes, boxOf, boxes, canonical, fromServer, rowsOf, sees } from './sudoku-regions.js';

/** Origins of a value, as the crate names them. */
export const EMPTY = 0,
  GIVEN = 1,
  ENTERED = 2,
  SOLVED = 3;
export const STATUS_NAMES = ['empty', 'given', 'entered', 'solved'];

/** States that undo remembers. */
const MEMORY = 500;
/** Digits of addresses: a value is one of them up to side 35, two beyond. */
const BASE = 36;

/** A layout with these extra rules. */
export function layout(n, regions, extras) {
  const rules = Object.fromEntries(EXTRAS.map(([name]) => [name, extras.includes(name)]));
  return { n, regions, mode: null, clues: [], ...rules };
}

/** The layout of a side's usual boxes. */
export function usual(n) {
  const [rows, columns] = boxOf(n);
  return layout(n, rows === 1 ? null : boxes(n, rows, columns), []);
}

/** A sheet, for undo and redo. */
export class Sheet extends History {
  /** @param {Layout} layout */
  constructor(layout) {
    super(blank(layout), () => MEMORY);
  }

  get layout() {
    return this.now.layout;
  }
  get n() {
    return this.now.layout.n;
  }
  /** True if every cell has a value. */
  get full() {
    return this.now.values.every((value) => value > 0);
  }

  /** Puts a value (0: none) with its origin into some cells, as one step. False if nothing changes. */
  put(cells, value, status) {
    const values = Uint16Array.from(this.now.values);
    const states = Uint8Array.from(this.now.status);
    const origin = value === 0 ? EMPTY : status;
    const changed = cells.filter((cell) => values[cell] !== value || states[cell] !== origin);
    if (changed.length === 0) return false;
    changed.forEach((cell) => {
      values[cell] = value;
      states[cell] = origin;
    });
    const notes = value === 0 ? this.now.notes : this.unseen(changed, value);
    this.become({ ...this.now, values, status: states, notes });
    return true;
  }

  /** The notes without a value where one of these cells sees them. */
  unseen(cells, value) {
    const seen = (at, list) => list.includes(value) && cells.some((cell) => sees(this.layout, cell, at));
    const cleaned = [...this.now.notes].map(([at, list]) => [
      at,
      seen(at, list) ? list.filter((one) => one !== value) : list,
    ]);
    return new Map(cleaned.filter(([, list]) => list.length > 0));
  }

  /** Notes a value in cells, or takes it back if all of them have it; `before` is taken back first. */
  note(cells, value, before = null) {
    const notes = new Map(this.now.notes);
    const listOf = (cell) => (notes.get(cell) ?? []).filter((one) => one !== before);
    const all = cells.every((cell) => listOf(cell).includes(value));
    for (const cell of cells) {
      const others = listOf(cell).filter((one) => one !== value);
      const list = all ? others : [...others, value].sort((a, b) => a - b);
      if (list.length > 0) notes.set(cell, list);
      else notes.delete(cell);
    }
    this.become({ ...this.now, notes });
  }

  /** Takes all notes of cells back. False if there are none. */
  unnote(cells) {
    return this.without('notes', cells);
  }

  /** Gives cells a colour, a number from 1; 0 takes theirs. False if nothing changes. */
  colour(cells, colour) {
    if (colour === 0) return this.without('colours', cells);
    const colours = new Map(this.now.colours);
    cells.forEach((cell) => colours.set(cell, [colour]));
    this.become({ ...this.now, colours });
    return true;
  }

  without(what, cells) {
    const left = new Map(this.now[what]);
    const gone = cells.filter((cell) => left.delete(cell));
    if (gone.length > 0) this.become({ ...this.now, [what]: left });
    return gone.length > 0;
  }

  /** Keeps values of these origins and drops the others, and all notes and colours. */
  keep(origins) {
    const kept = Array.from(this.now.status, (status) => origins.includes(status));
    const { notes, colours } = this.now;
    const same = kept.every((keep, cell) => keep || this.now.values[cell] === 0);
    if (same && notes.size + colours.size === 0) return false;
    this.become({
      ...this.now,
      notes: new Map(),
      colours: new Map(),
      values: this.now.values.map((value, cell) => (kept[cell] ? value : 0)),
      status: this.now.status.map((status, cell) => (kept[cell] ? status : EMPTY)),
    });
    return true;
  }

  /** Fills what is empty, or was solved before, from rows of values. */
  solve(rows) {
    const solution = rows.flat();
    const own = (cell) => this.now.status[cell] === GIVEN || this.now.status[cell] === ENTERED;
    this.become({
      ...this.now,
      values: Uint16Array.from(solution, (value, cell) => (own(cell) ? this.now.values[cell] : value)),
      status: Uint8Array.from(solution, (_, cell) => (own(cell) ? this.now.status[cell] : SOLVED)),
    });
  }

  /** All values that are there become givens. */
  settle() {
    this.become({ ...this.now, status: this.now.values.map((value) => (value > 0 ? GIVEN : EMPTY)) });
  }

  /** The sheet as the server reads it; `origins` are those whose values are said. */
  toServer(origins = [GIVEN, ENTERED, SOLVED]) {
    const cells = Array.from(this.now.values, (value, cell) => (origins.includes(this.now.status[cell]) ? value : 0));
    return { ...layoutToServer(this.layout), cells: rowsOf(this.n, cells) };
  }

  toAddress() {
    return toAddress(this.now);
  }
}

/** What follows `#sudoku/` in an address: side, rules, regions, givens, entered values, notes, clues. */
function toAddress({ layout, values, status, notes }) {
  const { n, regions } = layout;
  const extras = EXTRAS.filter(([name]) => layout[name])
    .map(([, letter]) => letter)
    .join('');
  const box = asBoxes(n, regions);
  const places =
    regions === null
      ? 'none'
      : box
        ? box.join('x')
        : pack(
            canonical(regions).map((r) => r + 1),
            n,
          );
  const of = (origin) => packOrigin(values, status, origin, n);
  const clues = layout.clues.length > 0 ? [clueData.pack(layout.clues)] : [];
  const noted = notes.size + clues.length > 0 ? [packNotes(notes)] : [];
  const entered = status.includes(ENTERED) || noted.length > 0 ? [of(ENTERED)] : [];
  return [n, extras || '-', places, of(GIVEN), ...entered, ...noted, ...clues].join('/');
}

/** The values of one origin as text. */
function packOrigin(values, status, origin, n) {
  return pack(
    Array.from(values, (value, cell) => (status[cell] === origin ? value : 0)),
    n,
  );
}

/** A whole state as text: its address, and what an address does not hold: what was solved, the mode, colours. */
export function toText(state) {
  const { layout, values, status } = state;
  const solved = status.includes(SOLVED) ? packOrigin(values, status, SOLVED, layout.n) : '';
  return [toAddress(state), solved, layout.mode ?? '', packNotes(state.colours)].join(' ');
}

/** Reads what {@link toText} writes; throws if it is not that. */
export function fromText(text) {
  const [address, solved, mode, colours] = text.split(' ');
  const state = fromAddress(address);
  const { n } = state.layout;
  state.layout.mode = mode || null;
  state.colours = unpackNotes(colours ?? '', n) ?? new Map();
  const values = solved === '' ? new Array(n * n).fill(0) : unpack(solved, n);
  values.forEach((value, cell) => {
    if (value === 0 || state.values[cell] > 0) return;
    state.values[cell] = value;
    state.status[cell] = SOLVED;
  });
  return state;
}

/** No value anywhere. */
export function blank(layout) {
  const cells = layout.n ** 2;
  const [values, status] = [new Uint16Array(cells), new Uint8Array(cells)];
  return { layout, values, status, notes: new Map(), colours: new Map() };
}

/** A state whose values are all given. */
export function given(layout, rows) {
  const values = Uint16Array.from(rows.flat());
  const status = Uint8Array.from(values, (value) => (value > 0 ? GIVEN : EMPTY));
  return { ...blank(layout), values, status };
}

/** A layout from the server's sheet or mode. */
export function layoutFromServer(sheet, mode = null) {
  return {
    ...layout(sheet.n, fromServer(sheet.n, sheet.regions), []),
    mode,
    diagonals: Boolean(sheet.diagonals),
    windows: Boolean(sheet.windows),
    antiKnight: Boolean(sheet.anti_knight),
    antiKing: Boolean(sheet.anti_king),
    clues: clueData.fromServer(sheet.clues, sheet.n),
  };
}

/** A layout as the server reads it. */
export function layoutToServer({ n, regions, diagonals, windows, antiKnight, antiKing, clues }) {
  const box = asBoxes(n, regions);
  const places = regions === null ? 'none' : box ? `boxes:${box.join('x')}` : rowsOf(n, regions);
  const rules = { diagonals, windows, anti_knight: antiKnight, anti_king: antiKing };
  return { n, regions: places, ...rules, clues: clueData.toServer(clues, n) };
}

/**
 * A state from an address.
 * @returns {State}
 * @throws {{error: string, where: string, status: number}} if it is no such address
 */
export function fromAddress(text) {
  const wrong = (what) => ({ error: `This address is not a Sudoku: ${what}.`, where: 'address', status: 0 });
  const [side, rules, places, first, second, third, fourth] = text.split('/');
  const n = Number(side);
  if (!Number.isInteger(n) || n < 1 || n > 100) throw wrong('its side is not a number from 1 to 100');
  const box = /^(\d+)x(\d+)$/.exec(places ?? '');
  let regions = null;
  if (box) {
    if (Number(box[1]) * Number(box[2]) !== n) throw wrong(`boxes of ${places} do not fill a side of ${n}`);
    regions = boxes(n, Number(box[1]), Number(box[2]));
  } else if (places !== 'none') {
    regions = unpack(places, n)?.map((region) => region - 1);
    if (!regions || regions.some((region) => region < 0)) throw wrong('its regions cannot be read');
  }
  const givens = unpack(first, n);
  const entered = second === undefined ? new Array(n * n).fill(0) : unpack(second, n);
  if (!givens || !entered) throw wrong(`it does not have ${n} × ${n} cells with values up to ${n}`);
  const notes = unpackNotes(third ?? '', n);
  if (!notes) throw wrong('its notes cannot be read');
  const clues = clueData.unpack(fourth ?? '', n);
  if (!clues) throw wrong('its cages, thermometers and arrows cannot be read');
  const extras = EXTRAS.filter(([, letter]) => rules.includes(letter)).map(([name]) => name);
  const status = (cell) => (givens[cell] > 0 ? GIVEN : entered[cell] > 0 ? ENTERED : EMPTY);
  return {
    notes,
    colours: new Map(),
    layout: { ...layout(n, regions, extras), clues },
    values: Uint16Array.from(givens, (value, cell) => value || entered[cell]),
    status: Uint8Array.from(givens, (_, cell) => status(cell)),
  };
}

/** Notes as text: `cell.value.value`, cells parted by `_`, all numbers in base 36. */
function packNotes(notes) {
  const word = (number) => number.toString(BASE);
  return [...notes].map(([cell, values]) => [cell, ...values].map(word).join('.')).join('_');
}

/** Reads what {@link packNotes} writes; null if it is not that. */
function unpackNotes(packed, n) {
  const notes = new Map();
  for (const text of packed === '' ? [] : packed.split('_', n * n + 1)) {
    if (!/^[0-9a-z]{1,3}(\.[0-9a-z]{1,2})+$/.test(text)) return null;
    const [cell, ...values] = text.split('.').map((word) => parseInt(word, BASE));
    const right = values.every((value, at) => value > (values[at - 1] ?? 0) && value <= n);
    if (cell >= n * n || notes.has(cell) || !right) return null;
    notes.set(cell, values);
  }
  return notes;
}

/** Values as text, `.` for none, runs of `.` shortened to `~` and two digits. */
function pack(values, n) {
  const width = n < BASE ? 1 : 2;
  const text = values.map((value) => (value === 0 ? '.'.repeat(width) : value.toString(BASE).padStart(width, '0')));
  return text.join('').replace(/\.{4,}/g, (run) => {
    let short = '';
    for (let left = run.length; left > 0; left -= BASE ** 2 - 1) {
      short += `~${Math.min(left, BASE ** 2 - 1)
        .toString(BASE)
        .padStart(2, '0')}`;
    }
    return short;
  });
}

/** Reads what {@link pack} writes; null if it is not that. */
function unpack(packed, n) {
  const text = packed ?? '';
  if (!/^[0-9a-z.~]*$/.test(text)) return null;
  const width = n < BASE ? 1 : 2;
  let long = '';
  for (const [piece, count] of text.matchAll(/~([0-9a-z]{2})|[^~]+|~/g)) {
    long += count === undefined ? piece : '.'.repeat(parseInt(count, BASE));
    if (long.length > width * n * n) return null; // an address may come from anybody
  }
  if (long.length !== width * n * n) return null;
  const values = [];
  for (let at = 0; at < long.length; at += width) {
    const word = long.slice(at, at + width);
    const value = word === '.'.repeat(width) ? 0 : parseInt(word, BASE);
    if (!Number.isInteger(value) || value > n) return null;
    values.push(value);
  }
  return values;
}
