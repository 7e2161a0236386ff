/**
 * What is on a tab's board, kept in the browser over a reload: the present state, and those that undo and redo know, as
 * far as there is room. Each window has its own (session storage); a new window begins with what was kept last (local
 * storage). Without storage, nothing is kept, and nothing is said about it.
 *
 * States are kept as texts that the tab writes and reads. What cannot be read any more is left out.
 */

/** Characters of all states together that are kept at most: storage has about five million, for all tabs. */
const ROOM = 400_000;
/** Milliseconds without a change before it is written. */
const SETTLED = 300;

const stores = () => {
  try {
    return [sessionStorage, localStorage];
  } catch {
    return []; // forbidden by the browser's settings
  }
};

export class Kept {
  /**
   * @param {string} name of the tab
   * @param {() => import('./history.js').History} history the one whose states are kept
   * @param {(state) => string|null} write a state as text; null if it cannot be
   * @param {(text: string) => any} read the state again; throws if it is none
   */
  constructor(name, history, write, read) {
    Object.assign(this, { key: `cnfkit-${name}`, history, write, read, timer: null });
    addEventListener('pagehide', () => this.timer !== null && this.store());
  }

  /** The state has changed: it is written soon. */
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.store(), SETTLED);
  }

  store() {
    clearTimeout(this.timer);
    this.timer = null;
    const { now, past, future } = this.history();
    let room = ROOM;
    const pack = (state) => {
      const text = room > 0 ? this.write(state) : null;
      room -= text?.length ?? Infinity; // what follows would have no neighbour
      return room >= 0 ? text : null;
    };
    const fitting = (states) => {
      const texts = [];
      for (const state of states) {
        const text = pack(state);
        if (text === null) break;
        texts.push(text);
      }
      return texts;
    };
    const present = pack(now);
    if (present === null) return;
    // The newest of the past and of the future are last in their lists, and worth most.
    const before = fitting([...past].reverse()).reverse();
    const after = fitting([...future].reverse()).reverse();
    const text = JSON.stringify({ now: present, past: before, future: after });
    for (const store of stores()) {
      try {
        store.setItem(this.key, text);
      } catch {
        // Full: what was kept before stays.
      }
    }
  }

  /** Puts what was kept into a history. False if there is nothing. */
  restore(history) {
    for (const store of stores()) {
      try {
        const { now, past, future } = JSON.parse(store.getItem(this.key));
        const read = (texts) => texts.map((text) => this.read(text));
        const states = { now: this.read(now), past: read(past), future: read(future) };
        Object.assign(history, states);
        return true;
      } catch {
        // Nothing was kept here, or by another version of the page.
      }
    }
    return false;
  }
}

/** True if the page was loaded anew where it was: what its address says was opened then already. */
export const reloaded = () => performance.getEntriesByType('navigation')[0]?.type === 'reload';
