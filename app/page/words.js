/**
 * Sentences for people out of what the server says: it begins with a small letter and ends without a full stop, so that
 * its words can stand inside others.
 */

/** With a capital at the beginning. */
export function capital(text) {
  return text === '' ? '' : text[0].toUpperCase() + text.slice(1);
}

/** A sentence that begins with a capital and ends with a full stop, unless it ends with another sign. */
export function sentence(text) {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? '' : capital(trimmed) + (/[.!?:]$/.test(trimmed) ? '' : '.');
}

/** A number of things: `1 trap`, `2 traps`. */
export function several(count, thing) {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** `10^40` with the exponent raised. */
export function raised(text) {
  return text.replace(/\^(\d+)/g, (_, digits) => [...digits].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join(''));
}

/** Fields of the server's questions, as somebody who uses the page knows them. */
const PLACES = {
  sheet: 'the board',
  'sheet.n': 'the side of the board',
  'sheet.regions': 'the regions',
  'sheet.windows': 'the windows',
  'sheet.clues': 'cages, thermometers and arrows',
  board: 'the board',
  n: 'the number of literals',
  k: 'the bound k',
  relation: 'the rule',
  weights: 'the weights',
  encoding: 'the encoding',
  encodings: 'the encodings',
  mode: 'the kind of puzzle',
  limit_ms: 'the time limit',
  engine: 'the engine',
};

/** A place in a question, such as `sheet.cells[0][3]`, in words; what is none stays as it is. */
export function placeOf(where) {
  const numbers = [...where.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number) + 1);
  const grid = /^(sheet|board|not|entered|solution)\b/.test(where);
  if (grid && numbers.length >= 2) return `row ${numbers.at(-2)}, column ${numbers.at(-1)}`;
  if (grid && numbers.length === 1 && where.endsWith(']')) return `row ${numbers[0]}`;
  const plain = where.replace(/\[\d+\]/g, '');
  return PLACES[plain] ?? PLACES[plain.split('.')[0]] ?? where;
}
