/** docs/security/attacks.md lists every attack with its tests, and each test asserts what the page promises. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
const page = 'docs/security/attacks.md';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const rows = [...read(page).matchAll(/^\| (\d+) \| .+ \| (.+) \|$/gmu)].map(([, number, tests = '']) => ({
  number: Number(number),
  tests: [...tests.matchAll(/\]\((.+?)\)/gu)].map(([, target = '']) => normalize(join('docs/security', target))),
}));
/** They assert the delay of the event loop and of a delivery by another tenant. */
const assertions = /\b(?:startNeighbour|withstands|whileOthersWork)\(/u;
/** Faults without load. */
const detected = 13;

test('the 14 attacks are listed in order, each with tests', () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: 14 }, (_, i) => i + 1),
  );
});

test('a test of each attack asserts that it delays nobody', () => {
  const without = rows
    .filter(({ number, tests }) => number !== detected && !tests.some((path) => assertions.test(read(path))))
    .map(({ number }) => number);
  assert.deepEqual(without, []);
});

test('every test in a folder of attacks is listed, or belongs to one that is', () => {
  const listed = new Set(rows.flatMap(({ tests }) => tests));
  const files = globSync('packages/*/test/attacks/*.attacks.test.ts', { cwd: root });
  assert.deepEqual(
    files.filter((path) => !listed.has(path)),
    [],
  );
});
