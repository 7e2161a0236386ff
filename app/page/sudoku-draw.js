/**
 * Regions of one's own: drawn with the mouse or a finger (press and drag), or by keyboard (a letter, or + and −,
 * choose the region; Space puts the cell into it; Shift and an arrow key draw on). Regions need not be connected.
 * Nothing is used before every region has as many cells as the board has rows. The rules hold on the board as soon as
 * they are ticked.
 *
 * Ids: sudoku-draw-box (the card), sudoku-draw (starts), sudoku-draw-side, sudoku-draw-from, sudoku-draw-diagonals,
 * sudoku-draw-windows, sudoku-draw-antiKnight, sudoku-draw-antiKing (ticks); sudoku-draw-bar (under the board, while
 * regions are drawn) with sudoku-brush (radio buttons sudoku-brush-0 …), sudoku-draw-state, sudoku-draw-use,
 * sudoku-draw-stop.
 */
import { bar, button, field, h, number, select, tick, whole } from './dom.js';
import { EXTRAS, asBoxes, boxOf, boxes, canonical, regionName, sizes } from './sudoku-regions.js';
import { blank, layout as layoutOf } from './sudoku-sheet.js';

/** The largest side with a pad of values to tap on; there is none while regions are drawn. */
export const LARGEST_PAD = 25;
const FROM = [
  ['here', 'the regions on the board'],
  ['boxes', 'boxes'],
  ['nothing', 'nothing'],
  ['latin', 'no regions (Latin)'],
  ['lot', 'connected regions by lot'],
];

/** True if there are windows between its boxes: those are square. */
function hasWindows({ n, regions }) {
  const box = asBoxes(n, regions);
  return box !== null && box[0] === box[1];
}

export function drawing(app) {
  const { tools } = app;
  const side = number('sudoku-draw-side', 9, 1, 100);
  const from = select('sudoku-draw-from', FROM, 'here');
  const ticks = new Map();
  const palette = h('div');
  const state = h('p', { id: 'sudoku-draw-state', class: 'quiet', role: 'status' });
  let brush = 0;

  const self = { element: null, bar: null, layout: app.sheet.layout, paint, erase, step, open, close, follow, use };

  /** The rules that are ticked. */
  const rules = () => EXTRAS.map(([name]) => name).filter((name) => ticks.get(name).checked);

  /** A rule holds from now on, or no longer; while regions are drawn, only once they are used. */
  function rule(name, on) {
    if (app.view.drawing) return;
    const { layout } = app.sheet;
    if (on && name === 'windows' && !hasWindows(layout)) {
      follow();
      noWindows();
      return;
    }
    app.become({ ...app.sheet.now, layout: { ...layout, mode: null, [name]: on } });
    const kind = EXTRAS.find(([other]) => other === name)[2];
    app.ask.report(`${kind}: ${on ? 'this rule holds now, for the board and for new puzzles' : 'no longer a rule'}.`);
  }

  const noWindows = () =>
    tools.fail({ error: 'Windows lie between square boxes, as those of 9 × 9 are.', where: 'windows', status: 0 });

  /** Begins with a copy of the regions on the board, or boxes, or nothing. */
  async function begin() {
    let n;
    try {
      n = whole(side, 'Side');
    } catch (problem) {
      tools.fail(problem);
      return;
    }
    const here = app.sheet.layout;
    let regions = null;
    if (from.value === 'here' && here.n === n && here.regions) regions = [...canonical(here.regions)];
    else if (from.value === 'nothing') regions = new Array(n * n).fill(-1);
    else if (from.value === 'lot' || (from.value !== 'latin' && boxOf(n)[0] === 1)) {
      // A prime has no boxes but whole rows, which are no regions.
      regions = await byLot(n);
      if (regions === null) return;
    } else if (from.value !== 'latin') regions = boxes(n, ...boxOf(n));
    self.layout = layoutOf(n, regions, rules());
    if (regions === null) {
      use();
      return;
    }
    brush = 0;
    app.view.drawing = true;
    app.forget();
    if (n !== here.n) app.view.build(self.layout);
    showPalette();
    refresh();
    tools.say('Drawing regions. Letters choose the region, Space puts the cell into it.', { heard: true });
    app.view.go(app.view.at);
  }

  /** Connected regions, others each time; null if there are none. */
  async function byLot(n) {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const answer = await app.work.askAbout(() => app.sheet.now, 'Drawing regions', 'sudoku/regions', { n, seed });
    return answer === null ? null : answer.regions.flat();
  }

  function set(cell, region) {
    if (self.layout.regions[cell] === region) return;
    const regions = [...self.layout.regions];
    regions[cell] = region;
    self.layout = { ...self.layout, regions };
    refresh();
  }

  function paint(cell) {
    set(cell, brush);
  }
  function erase(cell) {
    set(cell, -1);
  }

  /** Another region is drawn: the next ones, or a certain one. */
  function step(by, to = null) {
    const { n } = self.layout;
    if (to !== null && to >= n) return;
    brush = to ?? (brush + by + n) % n;
    const radio = palette.querySelector(`#sudoku-brush-${brush}`);
    if (radio) radio.checked = true;
    tools.say(`Region ${regionName(brush)}: ${sizes(n, self.layout.regions)[brush]} of ${n} cells.`);
  }

  function showPalette() {
    const options = Array.from({ length: self.layout.n }, (_, region) => [String(region), regionName(region)]);
    palette.replaceChildren(
      bar('sudoku-brush', 'Region to draw', options, '0', (value) => {
        brush = Number(value);
      }),
    );
  }

  function refresh() {
    const { n, regions } = self.layout;
    const counts = sizes(n, regions);
    const wrong = counts.map((count, region) => [region, count]).filter(([, count]) => count !== n);
    counts.forEach((count, region) => {
      const label = palette.querySelector(`label[for=sudoku-brush-${region}]`);
      label?.classList.toggle('done', count === n);
      if (label) label.title = `${count} of ${n} cells`;
    });
    state.textContent =
      wrong.length === 0
        ? `All ${n} regions have ${n} cells.`
        : `Cells of each region: ${n}. Not yet: ${wrong
            .slice(0, 12)
            .map(([r, c]) => `${regionName(r)} has ${c}`)
            .join(', ')}` + `${wrong.length > 12 ? ` and ${wrong.length - 12} more` : ''}.`;
    self.ready = wrong.length === 0;
    app.paint();
    follow();
  }

  /** The drawn regions become the board's; values stay if the side does. False if they cannot. */
  function use() {
    if (self.layout.regions !== null && !self.ready) {
      tools.fail({
        error: `Every region needs ${self.layout.n} cells. ${state.textContent}`,
        where: 'regions',
        status: 0,
      });
      return false;
    }
    const { n, regions } = self.layout;
    if (rules().includes('windows') && !hasWindows(self.layout)) {
      noWindows();
      return false;
    }
    const clues = n === app.sheet.n ? app.sheet.layout.clues : [];
    const layout = { ...layoutOf(n, regions, rules()), clues };
    stop();
    app.become(layout.n === app.sheet.n ? { ...app.sheet.now, layout } : blank(layout));
    app.ask.report('The board has regions of your own. New makes a puzzle for them; a link to share holds them too.');
    return true;
  }

  function stop() {
    if (!app.view.drawing) return;
    app.view.drawing = false;
    palette.replaceChildren();
    state.textContent = '';
    app.paint();
    follow();
  }

  function open() {
    self.element.open = true;
    if (!app.view.drawing) begin();
  }

  function close() {
    stop();
  }

  /** Buttons and fields follow what is going on. */
  function follow() {
    if (self.element === null) return;
    self.element.classList.toggle('active', app.view.drawing);
    app.pad.hidden = app.view.drawing || app.sheet.n > LARGEST_PAD;
    self.bar.hidden = !app.view.drawing;
    if (app.view.drawing) return;
    if (document.activeElement !== side) side.value = app.sheet.n;
    ticks.forEach((box, name) => {
      box.checked = app.sheet.layout[name];
    });
  }

  self.element = h(
    'details',
    { class: 'card', id: 'sudoku-draw-box' },
    h('summary', {}, h('h2', { text: 'Regions of my own' })),
    h('p', {
      class: 'note',
      text:
        'Choose a region and draw its cells on the board: press and drag, or Space. ' +
        'A letter chooses the region; Shift and an arrow key draw on.',
    }),
    h('div', { class: 'fields' }, field('Side', side), field('Start from', from)),
    h(
      'div',
      { class: 'row' },
      ...EXTRAS.map(([name, , text]) => {
        const labelled = tick(`sudoku-draw-${name}`, text, false, (on) => rule(name, on));
        ticks.set(name, labelled.querySelector('input'));
        return labelled;
      }),
    ),
    h('div', { class: 'buttons' }, button('sudoku-draw', 'Draw regions', begin)),
  );
  // Beside the board, in place of the values: a finger should not have to look for it.
  self.bar = h(
    'div',
    { class: 'card', id: 'sudoku-draw-bar', hidden: true },
    palette,
    state,
    h(
      'div',
      { class: 'buttons' },
      button('sudoku-draw-use', 'Use these regions', use, { kind: 'main' }),
      button('sudoku-draw-stop', 'Stop drawing', stop),
    ),
  );
  return self;
}
