/**
 * All browser tests: as many files at once as there are cores, each with a server and a browser of its own.
 *
 * `node run.js gem` runs the files whose names contain `gem`.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec as Spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const wanted = process.argv.slice(2);
const folder = fileURLToPath(new URL('tests/', import.meta.url));
const names = readdirSync(folder).filter((file) => file.endsWith('.js')).sort();
const chosen = names.filter((file) => !wanted.length || wanted.some((part) => file.includes(part)));
if (chosen.length === 0) throw new Error(`no test has ${wanted.join(' or ')} in its name`);
run({ files: chosen.map((file) => folder + file), concurrency: Math.max(2, availableParallelism()) })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(new Spec())
  .pipe(process.stdout);
