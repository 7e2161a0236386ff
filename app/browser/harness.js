/**
 * What every browser test stands on: one server on a free port, one browser, and pages that are watched.
 *
 * A page fails its test if it writes an error to the console, throws, breaks the content security policy, or asks any
 * host but the server. The server's program is `CNFKIT_APP` or `target/release/cnfkit-app`. The browser is Chromium
 * (`CHROMIUM` or `/usr/bin/chromium`), or with `BROWSER=firefox` a Firefox as others have it (`FIREFOX` or
 * `/usr/bin/firefox-esr`), driven by WebDriver BiDi.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { chromium, firefox } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const program = process.env.CNFKIT_APP ?? join(here, '../../target/release/cnfkit-app');
/** The browser's name. */
export const engine = process.env.BROWSER ?? 'chromium';
/** Screenshots go here if `SHOTS` is set: to be looked at, not compared. */
const shots = process.env.SHOTS ?? null;

/** Milliseconds that the page has for an answer. */
const PATIENCE = 20000;

async function startServer() {
  assert.ok(existsSync(program), `${program} is missing: cargo build --release -p cnfkit-app`);
  const server = spawn(program, ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (data) => {
      said += data;
      const found = /http:\/\/[^\s]+/.exec(said);
      if (found) resolve(found[0].replace(/\/$/, ''));
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return { server, address };
}

const { server, address } = await startServer();
const browser = await (engine === 'firefox'
  ? firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' })
  : chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  }));
after(async () => {
  await browser.close();
  server.kill('SIGINT');
});

/** The server's address, such as `http://127.0.0.1:41234`. */
export const origin = address;

/**
 * A test with a page of its own.
 *
 * @param {string} name
 * @param {{hash?: string, width?: number, height?: number, dark?: boolean, touch?: boolean, refused?: boolean}} options
 *   `refused`: the server refuses something in this test, and Chromium notes that in the console
 * @param {(page: import('playwright-core').Page) => Promise<void>} work
 */
export function scene(name, options, work) {
  test(name, { timeout: 120000 }, async () => {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1200, height: options.height ?? 900 },
      colorScheme: options.dark ? 'dark' : 'light', acceptDownloads: true, hasTouch: options.touch ?? false,
    });
    if (engine === 'chromium') await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const wrong = watch(page, options);
    try {
      await page.goto(`${origin}/${options.hash ?? ''}`);
      await work(page);
      assert.deepEqual(wrong, [], 'the page went wrong while it did what was asked');
    } finally {
      if (shots) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: join(shots, `${name.replace(/[^a-z0-9]+/gi, '-')}.png`), fullPage: true });
      }
      await context.close();
    }
  });
}

/** Collects what no page may do. */
export function watch(page, { refused = false } = {}) {
  const wrong = [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    if (refused && /status of (4\d\d|504)/.test(message.text())) return;
    wrong.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) wrong.push(`asked another host: ${url}`);
  });
  return wrong;
}

/** Waits until `read` gives what `wanted` says (a value, a pattern or a test), and gives it. */
export async function until(read, wanted, what = 'the page', patience = PATIENCE) {
  const fits = (value) => (wanted instanceof RegExp ? wanted.test(value)
    : typeof wanted === 'function' ? wanted(value) : value === wanted);
  const end = Date.now() + patience;
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    if (Date.now() > end) assert.fail(`${what}: waited for ${wanted}, found ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Waits until the element says something that fits. */
export const says = (page, selector, wanted, patience) =>
  until(() => page.locator(selector).textContent(), wanted, selector, patience);

/** The text of the file that `work` makes the page save. */
export async function saved(page, work) {
  const [download] = await Promise.all([page.waitForEvent('download'), work()]);
  const path = await download.path();
  return { name: download.suggestedFilename(), path, text: readFileSync(path, 'utf8') };
}

/** Unpacks an archive of proofs, by the system's tar: each folder has one that ends with its verdict. */
export function proven(archive, folders, verdicts) {
  const dir = mkdtempSync(join(tmpdir(), 'cnfkit-proof-'));
  try {
    execFileSync('tar', ['-xf', archive, '-C', dir]);
    assert.deepEqual(readdirSync(dir).sort(), [...folders].sort());
    folders.forEach((folder, at) => {
      assert.match(readFileSync(join(dir, folder, 'formula.opb'), 'utf8'), /^\* #variable= /);
      const proof = readFileSync(join(dir, folder, 'proof.pbp'), 'utf8');
      assert.match(proof, new RegExp(`conclusion ${verdicts[at]} [^]*end pseudo-Boolean proof;\n$`));
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** How many questions the server works on. */
export const running = async () => (await (await fetch(`${origin}/api/health`)).json()).running;

/** The problem that the error box shows. */
export async function problem(page) {
  await page.locator('#problem').waitFor({ state: 'visible' });
  return page.locator('#problem-text').textContent();
}

/** The clauses of a DIMACS text, after looking whether its header is right. */
export function clausesOf(text) {
  const lines = text.split('\n').filter((line) => line && !line.startsWith('c'));
  const [, , variables, count] = lines[0].split(/\s+/);
  const clauses = lines.slice(1).join(' ').trim().split(/\s+/).map(Number)
    .reduce((all, literal) => {
      if (literal === 0) all.push([]);
      else all[all.length - 1].push(literal);
      return all;
    }, [[]]).slice(0, -1);
  assert.equal(clauses.length, Number(count), 'the number of clauses in the header');
  const largest = Math.max(0, ...clauses.flat().map(Math.abs));
  assert.ok(largest <= Number(variables), `variable ${largest} beyond the header's ${variables}`);
  return { variables: Number(variables), clauses };
}
