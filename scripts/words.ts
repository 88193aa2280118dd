/**
 * `npm run words`: finds the replaced terms of docs/glossary.md in source, tests, documents and help pages, and fails if there are any.
 * `npm run words -- PATTERN …` checks only files whose path contains one of the patterns; `--count` prints counts by package and term.
 */
import { globSync, readFileSync } from 'node:fs';

import { entries, groups, pageFor } from '@fairlead/cli/command-table';
import { type Finding, finder } from './words/find.ts';
import { parseTerms } from './words/terms.ts';

process.chdir(new URL('..', import.meta.url).pathname);
const args = process.argv.slice(2);
const counting = args.includes('--count');
const patterns = args.filter((arg) => arg !== '--count');

/** The help pages as a user sees them; the file name is the command that prints the page. */
function* helpPages(): Iterable<readonly [file: string, text: string]> {
  for (const words of [[], ...groups.map((group) => [group]), ...entries.map(({ spec }) => spec.name.split(' '))]) {
    yield [['fairlead help', ...words].join(' '), pageFor(words) ?? ''];
  }
}

/** Made from the help pages; and the examples of the check itself. */
const unchecked = new Set(['docs/cli.md', 'scripts/words.test.ts']);

function* files(): Iterable<readonly [file: string, text: string]> {
  const globs = [
    '*.md',
    'docs/**/*.md',
    'examples/**/*.{md,yaml}',
    'deploy/**',
    'scripts/**/*.ts',
    'packages/**/*.{ts,js,md}',
  ];
  for (const file of globSync(globs, { exclude: ['**/node_modules/**', '**/dist/**'] }).sort()) {
    if (/\.(md|ts|js|yaml)$/.test(file) && !unchecked.has(file)) yield [file, readFileSync(file, 'utf8')];
  }
  yield* helpPages();
}

const find = finder(parseTerms(readFileSync('docs/glossary.md', 'utf8')));
const found: Finding[] = [];
for (const [file, text] of files()) {
  if (patterns.length === 0 || patterns.some((pattern) => file.includes(pattern))) found.push(...find(file, text));
}

const group = (file: string): string => /^packages\/[^/]+|^fairlead help|^[^/]+/.exec(file)?.[0] ?? file;

function printCounts(title: string, key: (finding: Finding) => string): void {
  console.log(title);
  const counts = Map.groupBy(found, key);
  for (const [name, list] of [...counts].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`${String(list.length).padStart(7)}  ${name}`);
  }
}

if (counting) {
  printCounts('by term', ({ term }) => `${term.avoid} → ${term.use}`);
  printCounts('by package', ({ file }) => group(file));
} else {
  for (const { file, line, found: words, term } of found) console.log(`${file}:${line}: "${words}": use "${term.use}"`);
}
console.log(`${found.length} replaced terms found`);
process.exitCode = found.length === 0 ? 0 : 1;
