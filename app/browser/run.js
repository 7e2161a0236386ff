/**
 * All browser tests, one after the other in one process, so that they share a server and a browser.
 *
 * `node run.js gem` runs the files whose names contain `gem`.
 */
import { readdirSync } from 'node:fs';

const wanted = process.argv.slice(2);
const files = readdirSync(new URL('tests/', import.meta.url)).filter((file) => file.endsWith('.js')).sort();
for (const file of files) {
  if (!wanted.length || wanted.some((part) => file.includes(part))) await import(`./tests/${file}`);
}
