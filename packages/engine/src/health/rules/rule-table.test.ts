import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthy, type Rule } from './rule.ts';
import { RuleTable } from './rule-table.ts';

const saying = (message: string): Rule => [healthy(message)];
const table = new RuleTable(
  { 'a.example.org/Widget': saying('exact'), 'a.example.org/*': saying('group') },
  { '*.example.org/*': saying('family'), '*.deep.example.org/*': saying('deeper family') },
);

const cases: [group: string, kind: string, found: string | undefined][] = [
  ['a.example.org', 'Widget', 'exact'],
  ['a.example.org', 'Gadget', 'group'],
  ['b.example.org', 'Widget', 'family'],
  ['b.deep.example.org', 'Widget', 'deeper family'],
  ['example.org', 'Widget', undefined],
  ['badexample.org', 'Widget', undefined],
  ['', 'Widget', undefined],
  ['', 'constructor', undefined],
];
for (const [group, kind, found] of cases) {
  test(`the rule of ${group}/${kind} is ${found}`, () => {
    const clause = table.find(group, kind)?.[0];
    assert.equal(typeof clause === 'object' ? clause.message : undefined, found);
  });
}

test('a kind has one rule', () => {
  assert.throws(() => new RuleTable({ 'a/B': saying('1') }, { 'a/B': saying('2') }), /two health rules for a\/B/);
});
