/**
 * How the lines of the plot are told apart: by colour, by dash and by marker, so that none is needed alone.
 *
 * An encoding keeps its look while it is chosen. Colours are CSS classes (`line-0` to `line-9`), because dark and light
 * need different ones; dashes and markers are attributes.
 */

import { svg } from './dom.js';

const DASHES = [null, '7 3', '2 3', '9 3 2 3', '4 2', '12 3', '2 2 6 2', '1 4'];
const COLOURS = 10;

/** Paths of markers around (0, 0), about 9 units wide; the last three are open. */
const MARKERS = [
  'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z',
  'M-4 -4h8v8h-8z',
  'M0 -5l5 9h-10z',
  'M0 -5.5l5 5.5l-5 5.5l-5 -5.5z',
  'M0 5l5 -9h-10z',
  'M-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z',
  'M-4.5 -4.5l9 9m0 -9l-9 9',
  'M-5 0h10m-5 -5v10',
  'M-4.5 -4.5l9 9m0 -9l-9 9m4.5 -10v11',
];

/** Hands out looks: the same name has the same one until it is forgotten. */
export class Looks {
  #given = new Map();

  /** The names that are shown now; those that are not give their look back. */
  keep(names) {
    for (const name of this.#given.keys()) if (!names.includes(name)) this.#given.delete(name);
    for (const name of names) {
      if (this.#given.has(name)) continue;
      const taken = new Set(this.#given.values());
      let free = 0;
      while (taken.has(free)) free += 1;
      this.#given.set(name, free);
    }
  }

  /** Class, dash and marker of a name. */
  of(name) {
    const index = this.#given.get(name) ?? 0;
    const open = index % MARKERS.length >= 6;
    return {
      class: `line-${index % COLOURS}${open ? ' open-marker' : ''}`,
      dash: DASHES[index % DASHES.length],
      marker: MARKERS[index % MARKERS.length],
    };
  }

  /** A small sample of the line for tables and legends; it says nothing that the name beside it does not. */
  sample(name) {
    const look = this.of(name);
    return svg('svg', {
      viewBox: '0 0 40 14', width: 40, height: 14, class: `enc-sample ${look.class}`, 'aria-hidden': 'true',
    },
    svg('path', { d: 'M1 7h38', class: 'enc-line', 'stroke-dasharray': look.dash }),
    svg('path', { d: look.marker, class: 'enc-marker', transform: 'translate(20 7)' }));
  }
}
