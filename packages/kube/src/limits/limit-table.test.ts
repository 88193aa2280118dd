import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatLimit, inputs, type LimitDefinition, limits, limitTable } from './limit-table.ts';

const page = readFileSync(new URL('../../../../docs/operate/limits.md', import.meta.url), 'utf8');

const row = (name: string, limit: LimitDefinition): string =>
  `| \`${name}\` | ${formatLimit(limit)} | ${limit.meaning} | ${limit.exceeded} | ${limit.setting ?? ''} |`;

test('docs/operate/limits.md has one row for each limit, under the heading of its input', () => {
  const entries = Object.entries<LimitDefinition>(limitTable);
  const expected = inputs.flatMap((input) => {
    const rows = entries.filter(([, limit]) => limit.input === input).map(([name, limit]) => row(name, limit));
    return rows.length > 0 ? [`## ${input}`, ...rows] : [];
  });
  const headings = new Set<string>(inputs.map((input) => `## ${input}`));
  assert.deepEqual(
    page.split('\n').filter((line) => line.startsWith('| `') || headings.has(line)),
    expected,
  );
});

test('limits are positive, and print in the largest exact unit', () => {
  for (const [name, value] of Object.entries(limits)) assert.ok(value > 0, name);
  assert.equal(formatLimit({ value: 10 * 1024 ** 2, unit: 'bytes' }), '10 MiB');
  assert.equal(formatLimit({ value: 1025, unit: 'bytes' }), '1025 bytes');
  assert.equal(formatLimit({ value: 1500, unit: 'ms' }), '1500 ms');
  assert.equal(formatLimit({ value: 90_000, unit: 'ms' }), '90 s');
  assert.equal(formatLimit({ value: 20_000, unit: 'count' }), '20,000');
});
