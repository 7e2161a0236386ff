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
