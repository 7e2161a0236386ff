/**
 * The page's frame: tabs, colours, what is said, what went wrong, and the address. Each tab is a module with
 * `start(root, tools)`, loaded when the tab is first shown.
 *
 * @typedef {object} Tools what a tab gets
 * @property {(question: string, body: object, how?: object) => Promise<any>} ask see api.js
 * @property {() => Promise<{engines: string[], questions: string[]}>} engines see api.js
 * @property {(text: string, how?: {heard?: boolean, seen?: boolean}) => void} say tells screen readers,
 *   politely, and shows the text for a moment, unless it is only to be heard or only to be seen
 * @property {(problem: object) => void} fail shows a problem ({error, where, status}) in the box at the top
 * @property {() => void} clear hides that box
 * @property {(name: string, mime: string, text: string) => void} download saves text as a file
 * @property {(text: string, name?: string) => Promise<boolean>} copy puts text on the clipboard and says so
 * @property {{current: () => 'light'|'dark', onChange: (listener: () => void) => void}} theme
 * @property {(tab: string, listener: (rest: string) => void) => void} onHash hears of `#tab/rest`, now and later
 * @property {(tab: string, rest: string) => string} link the address of `#tab/rest`
 * @property {(tab: string, listener: () => boolean|void) => void} onEscape hears of Escape while the tab is shown
 */
import { ask, engines } from './api.js';
import { placeOf, sentence } from './words.js';

const TABS = { sudoku: './sudoku.js', gem: './gem.js', encodings: './encodings.js', model: './model.js' };
const started = new Map();
const hashListeners = new Map();
const escapeListeners = new Map();
const byId = (id) => document.getElementById(id);
let shown = 'sudoku';

/* ---- what is said, and what went wrong ---- */

let toastTimer = 0;

function say(text, { heard = false, seen = false } = {}) {
  if (!seen) {
    // A text said twice is heard twice only if the region was empty between.
    byId('live').textContent = '';
    setTimeout(() => {
      byId('live').textContent = text;
    }, 30);
  }
  if (heard) return;
  byId('toast').textContent = text;
  byId('toast').classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => byId('toast').classList.remove('shown'), 2500 + 30 * text.length);
}

function fail(problem) {
  if (problem?.cancelled) {
    say('Cancelled.');
    return;
  }
  if (!problem?.error) console.error(problem);
  byId('problem-text').textContent = sentence(
    problem?.error ?? `Something went wrong on this page: ${problem?.message ?? problem}`,
  );
  byId('problem-where').textContent = problem?.where ? `Where: ${placeOf(problem.where)}` : '';
  byId('problem').hidden = false;
}

function clear() {
  byId('problem').hidden = true;
}

/* ---- files and the clipboard ---- */

function download(name, mime, text) {
  const address = URL.createObjectURL(new Blob([text], { type: mime }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  say(`Saved ${name}.`);
}

async function copy(text, name = 'Text') {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No permission, or not a secure context: the old way, by a selection.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'hidden';
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    before?.focus();
    if (!done) {
      fail({ error: 'The browser does not let this page write to the clipboard.', where: null, status: 0 });
      return false;
    }
  }
  say(`${name} copied.`);
  return true;
}

/* ---- colours ---- */

const dark = matchMedia('(prefers-color-scheme: dark)');
const themeListeners = [];
const theme = {
  current() {
    const chosen = document.documentElement.dataset.theme;
    return chosen === 'auto' ? (dark.matches ? 'dark' : 'light') : chosen;
  },
  onChange: (listener) => themeListeners.push(listener),
};

function startTheme() {
  const choice = byId('theme');
  choice.value = document.documentElement.dataset.theme;
  const changed = () => themeListeners.forEach((listener) => listener());
  choice.addEventListener('change', () => {
    document.documentElement.dataset.theme = choice.value;
    try {
      localStorage.setItem('cnfkit-theme', choice.value);
    } catch {
      // No storage: the choice holds until the page is closed.
    }
    changed();
  });
  dark.addEventListener('change', changed);
}

/* ---- tabs ---- */

const tools = {
  ask,
  engines,
  say,
  fail,
  clear,
  download,
  copy,
  theme,
  onHash(tab, listener) {
    hashListeners.set(tab, listener);
    const [now, rest] = hash();
    if (now === tab && rest !== '') listener(rest);
  },
  link: (tab, rest) => `${location.origin}${location.pathname}#${tab}/${rest}`,
  onEscape: (tab, listener) => escapeListeners.set(tab, listener),
};

/** The tab of the address, and what it says beyond the tab. */
function hash() {
  const [, tab, rest] = /^#([a-z]+)(?:\/(.*))?$/s.exec(location.hash) ?? [null, '', ''];
  return [tab in TABS ? tab : null, rest ?? ''];
}

async function show(tab) {
  shown = tab;
  for (const name of Object.keys(TABS)) {
    const chosen = name === tab;
    byId(`tab-${name}`).setAttribute('aria-selected', String(chosen));
    byId(`tab-${name}`).tabIndex = chosen ? 0 : -1;
    byId(name).hidden = !chosen;
  }
  document.title = `${byId(`tab-${tab}`).textContent} – cnfkit`;
  clear();
  if (started.has(tab)) return;
  started.set(tab, true);
  try {
    const module = await import(TABS[tab]);
    await module.start(byId(tab), tools);
  } catch (problem) {
    started.delete(tab);
    console.error(problem);
    fail(
      problem?.error
        ? problem
        : {
            error: `The part “${byId(`tab-${tab}`).textContent}” cannot be loaded: ${problem}`,
            where: null,
            status: 0,
          },
    );
  }
}

/** Goes to a tab as a user does: the address follows, so Back comes back. */
function choose(tab) {
  if (tab !== shown) history.pushState(null, '', `#${tab}`);
  show(tab);
}

function startTabs() {
  const names = Object.keys(TABS);
  for (const name of names) byId(`tab-${name}`).addEventListener('click', () => choose(name));
  document.querySelector('[role=tablist]').addEventListener('keydown', (event) => {
    const at = names.indexOf(shown);
    const to = {
      ArrowRight: (at + 1) % names.length,
      ArrowLeft: (at + names.length - 1) % names.length,
      Home: 0,
      End: names.length - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(names[to]);
    byId(`tab-${names[to]}`).focus();
  });
  const follow = () => {
    const [tab, rest] = hash();
    if (tab === null && location.hash !== '' && location.hash !== '#') return; // an anchor, such as the skip link's
    show(tab ?? 'sudoku');
    if (rest !== '') hashListeners.get(tab)?.(rest);
  };
  addEventListener('hashchange', follow); // Back and Forward too: pages of this site differ in nothing else
  show(hash()[0] ?? 'sudoku');
}

startTheme();
startTabs();
byId('problem-close').addEventListener('click', () => {
  clear();
  byId(`tab-${shown}`).focus();
});
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('main').focus();
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && escapeListeners.get(shown)?.()) event.preventDefault();
});
