import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coversUrl, type PolicyRule, uncoveredRules } from './policy-rule.ts';

const rule = (fields: Partial<PolicyRule> = {}): PolicyRule => ({
  apiGroups: [''],
  resources: ['pods'],
  verbs: ['get'],
  ...fields,
});

const cases: [title: string, held: PolicyRule, required: PolicyRule, covered: boolean][] = [
  ['the same rule', rule(), rule(), true],
  ['another verb', rule(), rule({ verbs: ['delete'] }), false],
  ['another group', rule(), rule({ apiGroups: ['apps'] }), false],
  ['another resource', rule(), rule({ resources: ['secrets'] }), false],
  ['all verbs', rule({ verbs: ['*'] }), rule({ verbs: ['get', 'delete'] }), true],
  ['a subresource of a resource', rule(), rule({ resources: ['pods/log'] }), false],
  ['a subresource of any resource', rule({ resources: ['*/log'] }), rule({ resources: ['pods/log'] }), true],
  ['all names, by a rule for one', rule({ resourceNames: ['a'] }), rule(), false],
  ['a name, by a rule for it', rule({ resourceNames: ['a'] }), rule({ resourceNames: ['a'] }), true],
  ['a name, by a rule for another', rule({ resourceNames: ['a'] }), rule({ resourceNames: ['b'] }), false],
  ['a name, by a rule for all', rule(), rule({ resourceNames: ['a'] }), true],
];
for (const [title, held, required, covered] of cases)
  test(`${covered ? 'covered' : 'not covered'}: ${title}`, () =>
    assert.equal(uncoveredRules([held], [required]).length === 0, covered));

test('several rules together cover a request that none covers alone', () => {
  const held = [rule(), rule({ verbs: ['delete'] })];
  assert.deepEqual(uncoveredRules(held, [rule({ verbs: ['get', 'delete', 'list'] })]), [rule({ verbs: ['list'] })]);
});

test('a URL is covered by itself, and by a prefix with a star', () => {
  assert.ok(coversUrl('/healthz/*', '/healthz/ready'));
  assert.ok(!coversUrl('/healthz', '/healthz/ready'));
  assert.ok(!coversUrl('/healthz/*', '/metrics'));
});
