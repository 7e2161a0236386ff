/**
 * What the Encodings and Model tabs share beyond dom.js: pictures with a title, numbers as people read them, and
 * waiting until somebody has finished typing.
 */
import { svg } from './dom.js';

/**
 * An SVG picture that a screen reader announces by its title and description.
 *
 * @param {string} id a prefix for the ids of title and description, unique in the page
 * @param {{width: number, height: number, title: string, text: string, class?: string}} what
 * @param {...SVGElement} children
 */
export function picture(id, what, ...children) {
  return svg('svg', {
    viewBox: `0 0 ${what.width} ${what.height}`, width: what.width, height: what.height, role: 'img',
    class: what.class, 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-text`,
  },
  svg('title', { id: `${id}-title`, text: what.title }), svg('desc', { id: `${id}-text`, text: what.text }),
  ...children);
}

/** Where the library stops to count, as JavaScript reads it: 2⁶⁴ − 1. */
export const MOST_COUNTED = 2 ** 64;

/** A number as people read it: 1,234,567; from 10¹⁵ on, where digits are lost, 1.23 × 10¹⁵. */
export function grouped(number) {
  if (number < 1e15) return number.toLocaleString('en-GB');
  const [digits, power] = number.toExponential(2).replace('+', '').split('e');
  const raised = [...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('');
  return `${number >= MOST_COUNTED ? 'at least ' : ''}${digits} × 10${raised}`;
}

/** Runs `work` once nothing has asked for it during `wait` milliseconds. */
export function settled(work, wait = 250) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, wait);
  };
}

/**
 * Does one thing at a time: a new call aborts the one before, whose answer is then never shown.
 *
 * @param {(problem: object) => void} fail told of what went wrong, unless it was aborted
 * @returns {(work: (signal: AbortSignal) => Promise<void>) => Promise<void>}
 */
export function latest(fail) {
  let running = null;
  return async (work) => {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    try {
      await work(mine.signal);
    } catch (problem) {
      if (!mine.signal.aborted) fail(problem);
    }
  };
}
