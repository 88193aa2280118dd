import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { syncOptionProblem } from '../src/compare/annotation-problems.ts';
import { stages } from '../src/deletion/deletion-finalizers.ts';

const page = readFileSync(new URL('../../../docs/syncing.md', import.meta.url), 'utf8');

test('docs/syncing.md names every sync option that there is, and no other', () => {
  const known = /use one of (.*)$/u.exec(syncOptionProblem('Nothing=true') ?? '')?.[1]?.split(', ') ?? [];
  assert.ok(known.length > 10);
  const table = page.slice(page.indexOf('## Options'), page.indexOf('Approval:'));
  const told = [...table.matchAll(/`([A-Z]\w+)=([\w\\|]+)`/gu)].map(([, name = '', values = '']) => {
    for (const value of values.split('\\|')) assert.equal(syncOptionProblem(`${name}=${value}`), undefined);
    return name;
  });
  assert.deepEqual([...new Set(told)].sort(), [...known].sort());
});

test('docs/syncing.md names the finalizers that hold a deletion', () => {
  for (const name of Object.values(stages).flatMap(([first]) => first ?? [])) {
    assert.ok(page.includes(name.replace(/^.*\/cleanup$/u, '/cleanup')), name);
  }
});
