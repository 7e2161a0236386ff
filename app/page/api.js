/**
 * Asking the server. One function: {@link ask}. It speaks plain JSON, or server-sent events when the caller wants to
 * hear of progress; either way it gives the answer or rejects with a {@link Problem}.
 *
 * @typedef {{error: string, where: string|null, status: number, cancelled?: boolean}} Problem
 * @typedef {{text: string, done: number, of: number|null}} Progress
 */

/** Tries after "too many questions at once", one second apart or what the server asks for. */
const TRIES = 4;

/**
 * @param {string} question such as 'sudoku/solve'
 * @param {object} body the question's fields
 * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} [how]
 * @returns {Promise<any>} the answer; rejects with a Problem
 */
export async function ask(question, body = {}, { onProgress = null, signal = null } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send(question, body, onProgress !== null, signal);
    if (reply.status === 429 && attempt < TRIES) {
      onProgress?.({ text: 'The server is busy; trying again', done: 0, of: null });
      await pause(1000 * Number(reply.headers.get('Retry-After') ?? 1), signal);
      continue;
    }
    const streamed = (reply.headers.get('Content-Type') ?? '').startsWith('text/event-stream');
    try {
      return streamed ? await follow(reply, onProgress) : await whole(reply);
    } catch (error) {
      throw problem(error, signal);
    }
  }
}

let installed = null;

/**
 * Programs that may answer in place of the built-in solver, and the questions that they may answer; none where the
 * server does not tell.
 * @returns {Promise<{engines: string[], questions: string[]}>}
 */
export function engines() {
  installed ??= fetch('/api/engines')
    .then((reply) => whole(reply))
    .catch(() => ({ engines: [], questions: [] }));
  return installed;
}

async function send(question, body, progress, signal) {
  const headers = { 'Content-Type': 'application/json' };
  if (progress) headers.Accept = 'text/event-stream';
  try {
    return await fetch(`/api/${question}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
  } catch (error) {
    throw problem(error, signal);
  }
}

/** A plain answer. */
async function whole(reply) {
  const text = await reply.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw {
      error: `The server's answer cannot be read (status ${reply.status}).`,
      where: null,
      status: reply.status,
    };
  }
  if (!reply.ok)
    throw { error: answer.error ?? 'The server refused.', where: answer.where ?? null, status: reply.status };
  return answer;
}

/** An answer that comes as events. */
async function follow(reply, onProgress) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw { error: 'The server stopped before the answer.', where: null, status: 0 };
    rest += value.replaceAll('\r\n', '\n');
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const event = parse(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (event.name === 'progress') onProgress?.(JSON.parse(event.data));
      else if (event.name === 'result') return JSON.parse(event.data);
      else if (event.name === 'error') throw { where: null, status: 0, ...JSON.parse(event.data) };
    }
  }
}

/** One event: its name and data; comments and what we do not know are passed over. */
function parse(block) {
  const event = { name: 'message', data: '' };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('event:')) event.name = value;
    else if (line.startsWith('data:')) event.data += (event.data ? '\n' : '') + value;
  }
  return event;
}

/** Whatever was thrown, as a Problem. */
function problem(error, signal) {
  if (signal?.aborted || error?.name === 'AbortError') {
    return { error: 'Cancelled.', where: null, status: 499, cancelled: true };
  }
  if (error?.error) return error;
  return { error: 'The server cannot be reached. Does cnfkit-app still run?', where: null, status: 0 };
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(problem(null, signal));
      },
      { once: true },
    );
  });
}
