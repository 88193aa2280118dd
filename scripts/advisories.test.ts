/** docs/security/advisories.md and the tests that it refers to name the same advisories. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
const page = 'docs/security/advisories.md';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const idPattern = /\b(?:GHSA(?:-[0-9a-z]{4}){3}|CVE-\d{4}-\d{4,})\b/gu;

interface Row {
  readonly id: string;
  /** The test files that the row links to. */
  readonly tests: readonly string[];
}

const rows: Row[] = [...read(page).matchAll(/^\| ((?:GHSA|CVE)-\S+) \| .* \| (.+?) \|$/gmu)].map(
  ([, id = '', text = '']) => ({
    id,
    tests: [...text.matchAll(/\]\((.+?)\)/gu)].map(([, target = '']) => normalize(join('docs/security', target))),
  }),
);
const files = new Map(
  globSync('packages/*/{src,test}/**/*advisories.test.ts', { cwd: root }).map((path) => [path, read(path)]),
);
const tested = new Set([...files.values()].flatMap((text) => text.match(idPattern) ?? []));

test('each advisory is listed once', () => {
  const ids = rows.map(({ id }) => id);
  assert.ok(ids.length > 0);
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
  );
});

test('each advisory has a test that names it', () => {
  const wrong = rows.flatMap(({ id, tests }) => {
    if (tests.length === 0) return [`${id}: no test`];
    return tests.filter((path) => !files.get(path)?.includes(id)).map((path) => `${id}: not in ${path}`);
  });
  assert.deepEqual(wrong, []);
});

test('the page states the number of advisories', () => {
  assert.match(read(page), new RegExp(`: ${rows.length} advisories, each with a test\\.`, 'u'));
});

test('each advisory that a test names is listed', () => {
  const listed = new Set(rows.map(({ id }) => id));
  assert.deepEqual(
    [...tested].filter((id) => !listed.has(id)),
    [],
  );
});
