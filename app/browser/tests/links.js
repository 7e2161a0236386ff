/**
 * Addresses of boards by lot, from a fixed seed: what a link holds comes back as it was, and a damaged link is refused
 * in words or opens a board that is whole. The modules of the page are asked in the page itself.
 */
import assert from 'node:assert/strict';
import { scene } from '../harness.js';

/** Boards by lot. */
const BOARDS = 200;

scene('links: Sudoku boards by lot', { hash: '#sudoku' }, async (page) => {
  const found = await page.evaluate(async (boards) => {
    const { Sheet, fromAddress, layout } = await import('/page/sudoku-sheet.js');
    const { EXTRAS, boxOf, boxes, sameRules } = await import('/page/sudoku-regions.js');
    let seed = 2024;
    const below = (most) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * most);
    };
    const pick = (list) => list[below(list.length)];
    const clue = (n) => {
      const kind = pick(['cage', 'thermometer', 'arrow']);
      const cells = [below(n * n - 1), n * n - 1];
      return { kind, cells, sum: kind === 'cage' ? pick([null, 3 + below(2 * n - 3)]) : null };
    };
    const told = { wrong: [], opened: 0, refused: 0 };
    for (let lot = 0; lot < boards; lot += 1) {
      const n = pick([1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 16, 25, 35, 36, 40]);
      let regions = pick([null, boxes(n, ...boxOf(n)), []]);
      if (regions?.length === 0) {
        regions = Array.from({ length: n * n }, (_, cell) => cell % n);
        for (let cell = n * n - 1; cell > 0; cell -= 1) {
          const other = below(cell + 1);
          [regions[cell], regions[other]] = [regions[other], regions[cell]];
        }
      }
      const sheet = new Sheet(layout(n, regions, EXTRAS.map(([name]) => name).filter(() => below(4) === 0)));
      if (n > 1 && n <= 16) sheet.layout.clues = Array.from({ length: below(4) }, () => clue(n));
      const density = below(4);
      for (let cell = 0; cell < n * n; cell += 1) {
        if (below(4) < density) sheet.put([cell], 1 + below(n), 1 + below(2));
      }
      const address = sheet.toAddress();
      const again = fromAddress(address);
      if (String(again.values) !== String(sheet.now.values)) told.wrong.push(`values: ${address}`);
      if (String(again.status) !== String(sheet.now.status)) told.wrong.push(`origins: ${address}`);
      if (!sameRules(again.layout, sheet.layout)) told.wrong.push(`rules: ${address}`);
      const clues = [again, sheet].map((one) => JSON.stringify(one.layout.clues));
      if (clues[0] !== clues[1]) told.wrong.push(`clues: ${address}`);

      const damaged = [...address];
      for (let times = below(3); times >= 0; times -= 1) {
        damaged.splice(below(damaged.length), below(2), pick([...'0123456789abz~./-dwnkx']));
      }
      try {
        const state = fromAddress(damaged.join(''));
        const side = state.layout.n;
        const whole = state.values.length === side ** 2 && state.status.length === side ** 2
          && state.values.every((value, cell) => value <= side && (value > 0) === (state.status[cell] > 0))
          && (state.layout.regions === null || state.layout.regions.length === side ** 2
            && state.layout.regions.every((region) => region >= 0 && region < side))
          && state.layout.clues.every(({ cells }) => cells.every((cell) => cell < side ** 2));
        if (!whole) told.wrong.push(`not whole: ${damaged.join('')}`);
        told.opened += 1;
      } catch (problem) {
        if (typeof problem?.error !== 'string') told.wrong.push(`${problem}: ${damaged.join('')}`);
        told.refused += 1;
      }
    }
    return told;
  }, BOARDS);
  assert.deepEqual(found.wrong, []);
  assert.ok(found.opened > 10 && found.refused > 10, JSON.stringify(found));
});

scene('links: Gem Hunter boards by lot', { hash: '#gem' }, async (page) => {
  const found = await page.evaluate(async (boards) => {
    const { GEM, TRAP, UNKNOWN, blank, fromAddress, toAddress } = await import('/page/gem-board.js');
    let seed = 2025;
    const below = (most) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * most);
    };
    const pick = (list) => list[below(list.length)];
    const flat = ({ rows, columns, total, cells, marks }) => [rows, columns, total, cells, marks].join(';');
    const told = { wrong: [], opened: 0, refused: 0 };
    for (let lot = 0; lot < boards; lot += 1) {
      const state = blank(1 + below(20), 1 + below(20));
      const density = 1 + below(12);
      state.cells.forEach((_, at) => {
        if (below(12) < density) state.cells[at] = below(13);
        if (state.cells[at] === UNKNOWN && below(3) === 0) state.marks[at] = pick([TRAP, GEM]);
      });
      if (below(2)) state.total = below(30);
      const address = toAddress(state);
      if (flat(fromAddress(address)) !== flat(state)) told.wrong.push(address);

      const damaged = [...address];
      for (let times = below(3); times >= 0; times -= 1) {
        damaged.splice(below(damaged.length), below(2), pick([...'0123456789()TGH./-']));
      }
      try {
        const { rows, columns, cells, marks } = fromAddress(damaged.join(''));
        const whole = cells.length === rows * columns && marks.length === cells.length
          && cells.every((cell) => cell <= 12) && marks.every((mark) => [0, TRAP, GEM].includes(mark));
        if (!whole) told.wrong.push(`not whole: ${damaged.join('')}`);
        told.opened += 1;
      } catch (problem) {
        if (typeof problem?.error !== 'string') told.wrong.push(`${problem}: ${damaged.join('')}`);
        told.refused += 1;
      }
    }
    return told;
  }, BOARDS);
  assert.deepEqual(found.wrong, []);
  assert.ok(found.opened > 10 && found.refused > 10, JSON.stringify(found));
});

scene('links: runs that would be very long are refused', { hash: '#sudoku' }, async (page) => {
  const said = await page.evaluate(async () => {
    const sudoku = await import('/page/sudoku-sheet.js');
    const gem = await import('/page/gem-board.js');
    return [
      () => sudoku.fromAddress(`9/-/3x3/${'~zz'.repeat(100000)}`),
      () => gem.fromAddress(`9/9/-/${'.(99999)'.repeat(100000)}`),
    ].map((open) => {
      try {
        open();
        return 'opened';
      } catch (problem) {
        return problem.error ?? String(problem);
      }
    });
  });
  assert.match(said[0], /does not have 9 × 9 cells/);
  assert.match(said[1], /does not have 9 × 9 cells/);
});

scene('links: regions by lot that touch have different grounds', { hash: '#sudoku' }, async (page) => {
  const found = await page.evaluate(async (boards) => {
    const { neighbours, tints } = await import('/page/sudoku-regions.js');
    let seed = 2026;
    const below = (most) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * most);
    };
    const told = { wrong: [], borders: 0 };
    for (let lot = 0; lot < boards; lot += 1) {
      const n = [4, 5, 6, 7, 8, 9, 10, 12][below(8)];
      // Regions grow from the first free cell; one that is shut in stays smaller.
      const regions = new Array(n * n).fill(-1);
      for (let region = 0; region < n; region += 1) {
        const edge = [regions.indexOf(-1)];
        for (let size = 0; size < n && edge.length > 0;) {
          const [cell] = edge.splice(below(edge.length), 1);
          if (cell < 0 || regions[cell] >= 0) continue;
          regions[cell] = region;
          size += 1;
          edge.push(...neighbours(n, cell).filter((other) => regions[other] < 0));
        }
      }
      const grounds = tints(n, regions);
      regions.forEach((region, cell) => neighbours(n, cell).forEach((other) => {
        if (region < 0 || regions[other] < 0 || regions[other] === region) return;
        told.borders += 1;
        if (grounds[region] === grounds[regions[other]]) told.wrong.push(`${n}: ${regions}`);
      }));
    }
    return told;
  }, BOARDS);
  assert.deepEqual(found.wrong, []);
  assert.ok(found.borders > 1000, `${found.borders} borders were looked at`);
});
