/**
 * The Gem Hunter board as text, file and address: paste and copy in the formats the crate reads and writes, a link that
 * holds the board, SVG, DIMACS and proofs to save.
 *
 * Ids: gem-text, gem-read, gem-format, gem-write, gem-copy, gem-link, gem-svg, gem-dimacs, gem-proof.
 */
import { button, field, h, select } from './dom.js';
import { tar } from './tar.js';
import { sentence } from './words.js';
import { fromRows, toAddress, toLines } from './gem-board.js';

export function texts(app) {
  const { tools, work } = app;
  const area = h('textarea', {
    id: 'gem-text',
    rows: 6,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: '3, _, 2, _\n_, _, 2, _\n_, 3, 1, _',
  });
  const board = (marked = true) => ({ lines: toLines(app.board.now, marked) });

  async function read() {
    const answer = await work.ask('Reading', 'gem/read', { text: area.value });
    if (answer === null) return;
    const state = fromRows(answer.board.rows);
    app.become(state);
    app.ask.report(`Read ${state.rows} × ${state.columns}.`);
  }

  /** What somebody pasted onto the board. */
  function paste(text) {
    area.value = text;
    read();
  }

  async function write() {
    const answer = await work.ask('Writing', 'gem/write', { board: board() });
    if (answer === null) return null;
    area.value = answer.text;
    return answer.text;
  }

  async function svg() {
    const answer = await work.ask('Drawing', 'gem/svg', { board: board(), dark: tools.theme.current() === 'dark' });
    if (answer !== null) tools.download('gem-hunter.svg', 'image/svg+xml', answer.svg);
  }

  async function dimacs() {
    const answer = await work.ask('Encoding', 'gem/dimacs', { board: board(false), total: app.board.now.total });
    if (answer === null) return;
    tools.download('gem-hunter.cnf', 'text/plain', answer.text);
    if (answer.variables !== undefined)
      app.ask.report(`DIMACS: ${answer.variables} variables, ${answer.clauses} clauses.`);
  }

  async function proof() {
    const answer = await work.ask('Proving', 'gem/proof', { board: board(false), total: app.board.now.total });
    if (answer === null) return;
    tools.download('gem-hunter-proof.tar', 'application/x-tar', tar(answer.files));
    app.ask.report(sentence(answer.text));
  }

  async function link() {
    const rest = toAddress(app.board.now);
    if (rest === null) {
      tools.fail({
        error: 'This board is too large for an address. Copy it as text instead.',
        where: null,
        status: 0,
      });
      return;
    }
    const address = tools.link('gem', rest);
    history.replaceState(null, '', address);
    await tools.copy(address, 'Link');
  }

  const element = h(
    'section',
    { class: 'card', 'aria-labelledby': 'gem-text-title' },
    h('h2', { id: 'gem-text-title', text: 'Text, files, link' }),
    field('Board as text', area, { wide: true, note: 'Numbers, _ for unknown, T, G, # for a hole; a row a line.' }),
    h(
      'div',
      { class: 'buttons' },
      button('gem-read', 'Read text', read),
      button('gem-write', 'Write text', write),
      button('gem-copy', 'Copy text', async () => {
        const text = await write();
        if (text !== null) await tools.copy(text, 'Board');
      }),
    ),
    h(
      'div',
      { class: 'buttons' },
      button('gem-link', 'Copy link', link),
      button('gem-svg', 'Save SVG', svg),
      button('gem-dimacs', 'Save DIMACS', dimacs),
      button('gem-proof', 'Save proof', proof, { title: 'For the proof checker VeriPB' }),
    ),
  );

  return { element, paste };
}
