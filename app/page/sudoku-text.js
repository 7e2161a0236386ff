/**
 * The Sudoku as text, file and address: paste and copy in every format the crate reads and writes, a link that holds
 * the whole board, SVG, DIMACS and proofs to save.
 *
 * Ids: sudoku-text-box (the card), sudoku-text (the text), sudoku-read, sudoku-like (tick: the text is read by the
 * rules on the board), sudoku-format, sudoku-write, sudoku-copy, sudoku-link, sudoku-svg, sudoku-dimacs,
 * sudoku-proof.
 */
import { button, field, h, select, tick } from './dom.js';
import { tar } from './tar.js';
import { sentence } from './words.js';
import { GIVEN, ENTERED, SOLVED, fromAddress, given, layoutFromServer, layoutToServer } from './sudoku-sheet.js';

/** About the words of a puzzle from another site. */
const WORDS = 'Rules that are only in these words are not on the board.';

export function texts(app) {
  const { tools, work } = app;
  const area = h('textarea', {
    id: 'sudoku-text',
    rows: 6,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: '1..3..5..42785.361… or rows of numbers',
  });
  let like = false;
  const format = select('sudoku-format', [['line', 'One line']], 'line');

  async function read() {
    const answer = await work.ask('Reading', 'sudoku/read', {
      text: area.value,
      ...(like && { like: layoutToServer(app.sheet.layout) }),
    });
    if (answer === null) return;
    const { sheet } = answer;
    app.draw.close();
    app.become(given(layoutFromServer(sheet), sheet.cells));
    const said = answer.said ? [[answer.said, null], [WORDS, null]] : [];
    app.ask.report(`Read ${sheet.n} × ${sheet.n}${answer.format ? `, format: ${answer.format}` : ''}.`, 'quiet', said);
  }

  /** What somebody pasted onto the board. */
  function paste(text) {
    area.value = text;
    read();
  }

  /** The board in the chosen format, also put into the text. */
  async function write() {
    const answer = await work.ask('Writing', 'sudoku/write', { sheet: app.sheet.toServer(), format: format.value });
    if (answer === null) return null;
    area.value = answer.text;
    return answer.text;
  }

  async function svg() {
    const solved = app.sheet.now.status.includes(SOLVED);
    const body = {
      sheet: app.sheet.toServer([GIVEN]),
      entered: app.sheet.toServer([ENTERED]).cells,
      dark: tools.theme.current() === 'dark',
    };
    if (solved) body.solution = app.sheet.toServer().cells;
    const answer = await work.ask('Drawing', 'sudoku/svg', body);
    if (answer !== null) tools.download('sudoku.svg', 'image/svg+xml', answer.svg);
  }

  async function dimacs() {
    const answer = await work.ask('Encoding', 'sudoku/dimacs', { sheet: app.sheet.toServer([GIVEN, ENTERED]) });
    if (answer === null) return;
    tools.download('sudoku.cnf', 'text/plain', answer.text);
    if (answer.variables !== undefined) {
      app.ask.report(`DIMACS: ${answer.variables} variables, ${answer.clauses} clauses.`);
    }
  }

  async function proof() {
    const answer = await work.ask('Proving', 'sudoku/proof', { sheet: app.sheet.toServer([GIVEN, ENTERED]) });
    if (answer === null) return;
    tools.download('sudoku-proof.tar', 'application/x-tar', tar(answer.files));
    app.ask.report(sentence(answer.text));
  }

  async function link() {
    const address = tools.link('sudoku', app.sheet.toAddress());
    history.replaceState(null, '', address);
    await tools.copy(address, 'Link');
  }

  const element = h(
    'section',
    { class: 'card', id: 'sudoku-text-box', 'aria-labelledby': 'sudoku-text-title' },
    h('h2', { id: 'sudoku-text-title', text: 'Text, files, link' }),
    field('Puzzle as text', area, {
      wide: true,
      note: 'Any format, or a link of f-puzzles or SudokuPad; it can also be pasted onto the board.',
    }),
    h(
      'div',
      { class: 'row' },
      button('sudoku-read', 'Read text', read),
      tick('sudoku-like', 'Keep the board’s regions and rules', false, (on) => {
        like = on;
      }),
    ),
    h(
      'div',
      { class: 'fields' },
      field('Format', format),
      h(
        'div',
        { class: 'buttons low' },
        button('sudoku-write', 'Write text', write),
        button('sudoku-copy', 'Copy text', async () => {
          const text = await write();
          if (text !== null) await tools.copy(text, 'Puzzle');
        }),
      ),
    ),
    h(
      'div',
      { class: 'buttons' },
      button('sudoku-link', 'Copy link', link),
      button('sudoku-svg', 'Save SVG', svg),
      button('sudoku-dimacs', 'Save DIMACS', dimacs),
      button('sudoku-proof', 'Save proof', proof, { title: 'For the proof checker VeriPB' }),
    ),
  );

  return {
    element,
    paste,
    fromAddress,
    /** Formats are names, or objects with name and title. */
    setFormats(formats) {
      const options = formats.map((one) =>
        typeof one === 'string' ? [one, one] : [one.name, one.about ? `${one.name}: ${one.about}` : one.name],
      );
      if (options.length === 0) return;
      format.replaceChildren(...options.map(([value, text]) => h('option', { value, text })));
    },
  };
}
