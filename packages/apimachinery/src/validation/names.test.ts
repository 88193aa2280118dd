import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { validateLabelSelector, validateLabels } from './labels.ts';
import {
  configKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  nameRules,
  pathSegment,
  portName,
  qualifiedName,
} from './names.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const edge = fc.constantFrom(...letters);
const label = fc
  .tuple(edge, fc.string({ unit: fc.constantFrom(...letters, '-'), maxLength: 61 }), edge)
  .map((parts) => parts.join(''));

test('labels joined by dots are valid subdomains and qualified names', () => {
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      assert.deepEqual(dns1123Label(labels[0]!), []);
      assert.deepEqual(dns1123Subdomain(labels.join('.')), []);
      assert.deepEqual(qualifiedName(`${labels.join('.')}/${labels[0]}`), []);
      assert.deepEqual(labelValue(labels[0]!), []);
    }),
  );
});

test('a name that starts or ends with another character than a letter or digit is invalid', () => {
  fc.assert(
    fc.property(label, fc.constantFrom('-', '.', ' ', 'A', '_'), (name, end) => {
      assert.notEqual(dns1123Label(`${name}${end}`).length, 0);
      assert.notEqual(dns1123Subdomain(`${end}${name}`).length, 0);
    }),
  );
});

const messages: [string, (value: string) => string[], string, string[]][] = [
  ['a label with dots', dns1123Label, 'a.b', ['must not contain dots']],
  ['a label that is too long', dns1123Label, 'a'.repeat(64), ['must be no more than 63 characters']],
  ['a subdomain of 254', dns1123Subdomain, 'a'.repeat(254), ['must be no more than 253 characters']],
  ['a DNS-1035 label may end in a digit', dns1035Label, 'a1', []],
  ['a path segment', pathSegment, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
  ['the directory above', pathSegment, '..', ["may not be '..'"]],
  ['a key without a prefix before its slash', qualifiedName, '/x', ['prefix part must be non-empty']],
  ['a key with a long name', qualifiedName, 'k'.repeat(64), ['name part must be no more than 63 bytes']],
  ['an empty label value', labelValue, '', []],
  ['a long label value', labelValue, 'v'.repeat(64), ['must be no more than 63 bytes']],
  ['a config key that climbs', configKey, '..a', ["must not start with '..'"]],
  ['a port name of digits', portName, '80', ['must contain at least one letter (a-z)']],
  ['a port name with two hyphens', portName, 'a--b', ['must not contain consecutive hyphens']],
];
for (const [what, rule, value, expected] of messages) {
  test(`${what}: ${expected.join(', ') || 'valid'}`, () => assert.deepEqual(rule(value), expected));
}

test('a message with a pattern has examples and the pattern', () => {
  assert.deepEqual(dns1123Label('A'), [
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ]);
});

test('a prefix of a generated name may end in a dash, a name may not', () => {
  assert.deepEqual(nameRules.subdomain('web-', true), []);
  assert.equal(nameRules.subdomain('web-', false).length, 1);
  assert.deepEqual(nameRules.pathSegment('.', true), []);
});

test('labels are validated by key and value, at the path of the map', () => {
  const errors = validateLabels({ 'a b': 'ok', ok: 'a b' }, 'metadata.labels');
  assert.deepEqual(
    errors.map(({ field, message }) => `${field} ${message.slice(0, 20)}`),
    ['metadata.labels Invalid value: "a b"', 'metadata.labels Invalid value: "a b"'],
  );
});

test('the operator of a selector determines whether it has values', () => {
  const selector = {
    matchExpressions: [
      { key: 'a', operator: 'In' },
      { key: 'a', operator: 'Exists', values: ['x'] },
      { key: 'a', operator: 'Is' },
      { key: 'a', operator: 'NotIn', values: ['no good'] },
    ],
  };
  assert.deepEqual(
    validateLabelSelector(selector, 's').map(({ field }) => field),
    [
      's.matchExpressions[0].values',
      's.matchExpressions[1].values',
      's.matchExpressions[2].operator',
      's.matchExpressions[3].values[0]',
    ],
  );
  assert.equal(validateLabelSelector(selector, 's', { allowInvalidValues: true }).length, 3);
});
