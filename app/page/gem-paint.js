/**
 * Painting the cells of a Gem Hunter board on a canvas. Every meaning has a shape besides its colour: traps are
 * triangles, gems diamonds; the board's own are filled, the player's marks outlines, deduced ones small and filled on a
 * ground of their own.
 */
import { GEM, HOLE, NONE, TRAP, UNKNOWN } from './gem-board.js';

/** Colours of gem.css that are painted with. */
const NAMES = [
  'paper',
  'ink',
  'quiet',
  'line',
  'accent',
  'focus',
  'bad',
  'warm',
  'warm-soft',
  'gem-unknown',
  'gem-trap',
  'gem-gem',
  'gem-trap-soft',
  'gem-gem-soft',
  'gem-hole',
  'gem-free',
];
/** Pixels of a cell below which only grounds are painted. */
const READABLE = 10;

/** Colours as the browser computes them now: a canvas does not know custom properties. */
export function colours(element) {
  const probe = document.createElement('span');
  probe.className = 'hidden';
  element.append(probe);
  const found = {};
  for (const name of NAMES) {
    probe.style.setProperty('color', `var(--${name})`);
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

/**
 * Paints one cell whose corner is (x, y) and whose side is `size`.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {object} colour as {@link colours} gives
 * @param {object} cell what to show: `content`, `mark`, `kind` (trap, gem, undecided, free or null), `answer`, `chance`
 *   (0 to 1 or null), `lit`, `asked`, `wrong`
 */
export function paintCell(pen, colour, x, y, size, cell) {
  const { content, mark, kind, answer, chance } = cell;
  const known = content !== UNKNOWN;
  pen.fillStyle = cell.lit ? colour['warm-soft'] : ground(colour, cell);
  pen.fillRect(x, y, size, size);
  if (size < READABLE) {
    if (cell.lit || cell.wrong) frame(pen, cell.wrong ? colour.bad : colour.warm, x, y, size, 2);
    return;
  }
  if (content < UNKNOWN) text(pen, colour.ink, String(content), x + size / 2, y + size / 2, size * 0.58, 650);
  else if (content === TRAP) triangle(pen, colour['gem-trap'], x, y, size, 0.6, true);
  else if (content === GEM) diamond(pen, colour['gem-gem'], x, y, size, 0.62, true);
  if (!known) {
    // A free cell is a trap in half of the answers, unless a total says more.
    const idle = kind === 'free' && (chance === null || Math.abs(chance - 0.5) < 1e-9);
    const low = chance !== null && !idle && size >= 22;
    if (mark === TRAP) triangle(pen, colour['gem-trap'], x, y, size, 0.66, false);
    else if (mark === GEM) diamond(pen, colour['gem-gem'], x, y, size, 0.66, false);
    const small = mark !== NONE ? 0.26 : 0.42;
    const sure = kind === 'trap' || kind === 'gem' ? kind : answer === TRAP ? 'trap' : answer === GEM ? 'gem' : null;
    if (sure === 'trap') triangle(pen, colour['gem-trap'], x, y, size, small, true);
    else if (sure === 'gem') diamond(pen, colour['gem-gem'], x, y, size, small, true);
    else if (mark === NONE && low) percent(pen, colour, x, y, size, chance);
    else if (mark === NONE && kind === 'undecided')
      text(pen, colour.quiet, '?', x + size / 2, y + size / 2, size * 0.5, 500);
    else if (mark === NONE && kind === 'free') dash(pen, colour.quiet, x, y, size);
  }
  if (cell.wrong) {
    frame(pen, colour.bad, x, y, size, 2);
    if (size >= 18) text(pen, colour.bad, '!', x + size * 0.85, y + size * 0.24, size * 0.36, 700);
  }
  if (cell.lit) frame(pen, colour.warm, x, y, size, Math.max(2, size / 12));
  if (cell.asked) {
    frame(pen, colour.ink, x, y, size, 2);
    frame(pen, colour.ink, x + 4, y + 4, size - 8, 1);
  }
}

function ground(colour, { content, mark, kind, answer }) {
  if (content === HOLE) return colour['gem-hole'];
  if (content < UNKNOWN) return colour.paper;
  const sign = content === UNKNOWN ? (mark !== NONE ? mark : answer) : content;
  if (kind === 'trap' || sign === TRAP) return colour['gem-trap-soft'];
  if (kind === 'gem' || sign === GEM) return colour['gem-gem-soft'];
  return kind === 'free' ? colour['gem-free'] : colour['gem-unknown'];
}

/** The chance of a trap in percent, and a bar of that length. */
function percent(pen, colour, x, y, size, chance) {
  const rounded = Math.round(100 * chance);
  // What is not certain is neither 0 nor 100.
  const shown = chance > 0 && rounded === 0 ? '<1' : chance < 1 && rounded === 100 ? '>99' : String(rounded);
  text(pen, colour.ink, shown, x + size / 2, y + size * 0.45, size * 0.38, 500);
  pen.fillStyle = colour.line;
  pen.fillRect(x + size * 0.14, y + size * 0.78, size * 0.72, Math.max(2, size * 0.08));
  pen.fillStyle = colour['gem-trap'];
  pen.fillRect(x + size * 0.14, y + size * 0.78, size * 0.72 * chance, Math.max(2, size * 0.08));
}

function text(pen, colour, what, x, y, size, weight) {
  pen.fillStyle = colour;
  pen.font = `${weight} ${size}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(what, x, y + size * 0.06);
}

function triangle(pen, colour, x, y, size, part, filled) {
  const [half, middle, centre] = [(size * part) / 2, x + size / 2, y + size / 2];
  shape(pen, colour, size, filled, [
    [middle, centre - half],
    [middle + half, centre + half * 0.85],
    [middle - half, centre + half * 0.85],
  ]);
}

function diamond(pen, colour, x, y, size, part, filled) {
  const [half, middle, centre] = [(size * part) / 2, x + size / 2, y + size / 2];
  shape(pen, colour, size, filled, [
    [middle, centre - half],
    [middle + half, centre],
    [middle, centre + half],
    [middle - half, centre],
  ]);
}

function shape(pen, colour, size, filled, corners) {
  pen.beginPath();
  corners.forEach(([x, y], at) => (at === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  pen.closePath();
  if (filled) {
    pen.fillStyle = colour;
    pen.fill();
  } else {
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1.5, size / 14);
    pen.lineJoin = 'round';
    pen.stroke();
  }
}

function dash(pen, colour, x, y, size) {
  pen.fillStyle = colour;
  pen.fillRect(x + size * 0.36, y + size * 0.48, size * 0.28, Math.max(1.5, size * 0.06));
}

/** A frame inside a cell. */
export function frame(pen, colour, x, y, size, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.strokeRect(x + width / 2, y + width / 2, size - width, size - width);
}
