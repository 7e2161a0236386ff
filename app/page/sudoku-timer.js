/**
 * The time that somebody has spent on a puzzle: it runs while the tab is in sight and the board is not full, begins
 * anew with other givens, and is kept over a reload. A press hides it, and shows it again.
 *
 * Id: sudoku-timer.
 */
import { button } from './dom.js';

const KEY = 'cnfkit-sudoku-timer';

/** What the window keeps: the puzzle, its seconds, and whether they are hidden. */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // forbidden, or nothing of ours
  }
}

/** @param {() => boolean} running whether time passes now */
export function timer(running) {
  let { puzzle = '', seconds = 0, hidden = false } = read();
  const made = button('sudoku-timer', '', () => {
    hidden = !hidden;
    show();
  });

  function show() {
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    made.textContent = hidden ? 'Time' : time;
    made.setAttribute('aria-label', hidden ? 'Show the time' : `Time ${time}. Hide it`);
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ puzzle, seconds, hidden }));
    } catch {
      // No storage: it begins anew with the page.
    }
  }

  show();
  setInterval(() => {
    if (document.hidden || made.offsetParent === null || !running()) return;
    seconds += 1;
    show();
  }, 1000);

  return {
    element: made,
    /** The puzzle on the board, as text: another one begins at 0. */
    follow(text) {
      if (text === puzzle) return;
      puzzle = text;
      seconds = 0;
      show();
    },
  };
}
