import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Assertions, countAssertions } from './count.ts';
import { limits, measured } from './product.ts';

const table: readonly (readonly [source: string, casts: number, throughUnknown: number, nonNull: number])[] = [
  ['const a = b as C;', 1, 0, 0],
  ['const a = b as const;', 0, 0, 0],
  ['const a = b as unknown as C;', 1, 1, 0],
  ['const a = (b as C).d!;', 1, 0, 1],
  ['const a = list[0]!.b!();', 0, 0, 2],
  ['if (a !== b && !c) d(!e);', 0, 0, 0],
  ["import { a as b } from 'c';\nexport { d as e } from 'f';\nimport * as g from 'h';", 0, 0, 0],
  ["const text = 'x as Y!'; // z as W!", 0, 0, 0],
  ['return !ready;', 0, 0, 0],
  ['const no = (a: boolean) => !a;', 0, 0, 0],
  ['const a = `${b as C}`;', 1, 0, 0],
];
for (const [source, casts, throughUnknown, nonNull] of table)
  test(`type assertions in ${JSON.stringify(source)}`, () => {
    assert.deepEqual(countAssertions(source), { casts, throughUnknown, nonNull });
  });

test('product code stays below the limits of type assertions', () => {
  const files = execFileSync('git', ['ls-files', 'packages', 'scripts'], { encoding: 'utf8' }).split('\n');
  const total = measured(files, (file) => readFileSync(file, 'utf8'));
  for (const [name, limit] of Object.entries(limits) as [keyof Assertions, number][])
    assert.ok(total[name] <= limit, `${name}: ${total[name]}, at most ${limit}; see npm run casts`);
});
