import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePolicy, policyText } from './policy.ts';
import { checkPolicy } from './validate-policy.ts';

test('fields are read as CSV: quotes, and white space after a field belongs to it', () => {
  const { permissions, groupings } = parsePolicy(
    '# who\n p, "a,b" , x\n'.replace(' , x', ', applications, get , */*, allow'),
  );
  assert.deepEqual(permissions, [
    { subject: 'a,b', resource: 'applications', action: 'get ', object: '*/*', effect: 'allow' },
  ]);
  assert.deepEqual(groupings, []);
  assert.deepEqual(parsePolicy('g, "say ""hi""", role:x').groupings, [{ member: 'say "hi"', role: 'role:x' }]);
});

for (const [line, message] of [
  ['p, alice, applications', 'invalid RBAC policy: p, alice, applications'],
  ['P, a, b, c, d, allow', 'invalid RBAC policy: P, a, b, c, d, allow'],
  [
    'p, al"ice, x',
    'error parsing policy line "p, al\\"ice, x": parse error on line 1, column 6: bare " in non-quoted-field',
  ],
  [
    'g, "a" b, c',
    'error parsing policy line "g, \\"a\\" b, c": parse error on line 1, column 6: extraneous or missing " in quoted-field',
  ],
] as const) {
  test(`the line ${line} is refused`, () => {
    assert.throws(() => parsePolicy(line), { name: 'PolicyError', message });
  });
}

test('overlays are added in the order of their keys', () => {
  const data = { 'policy.b.csv': '3', 'policy.csv': '1', 'policy.a.csv': '2', 'policy.default': 'x', scopes: 'y' };
  assert.equal(policyText(data), '1\n2\n3');
});

test('a check names roles without permissions', () => {
  assert.deepEqual(checkPolicy('g, alice, role:x\ng, role:x, role:y\np, role:y, a, b, c, allow\ng, bob, role:z'), {
    warning: 'user defined roles not found in policies: role:z',
  });
  assert.deepEqual(checkPolicy('nonsense'), { problem: 'policy syntax error: nonsense' });
});
