import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addressWarnings,
  canonicalAddress,
  contains,
  endpointAddress,
  formatAddress,
  formatNetwork,
  legacyAddress,
  legacyNetwork,
  networkWarnings,
  parseAddress,
  parseNetwork,
} from './address.ts';

test('a formatted address parses to the same address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseAddress(text)!;
      assert.deepEqual(parseAddress(formatAddress(address))!.bytes, address.bytes);
      assert.equal(formatAddress(parseAddress(formatAddress(address))!), formatAddress(address));
    }),
  );
});

test('a network contains itself and the addresses with its prefix', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (text, prefix) => {
      const network = parseNetwork(`${text}/${prefix}`)!;
      assert.ok(contains(network, network.address));
      assert.deepEqual(legacyNetwork('f', formatNetwork(network)), []);
    }),
  );
});

for (const [text, expected] of [
  ['2001:0db8:0:0:0:0:0:1', '2001:db8::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['010.001.0.9', '10.1.0.9'],
  ['::', '::'],
] as const) {
  test(`${text} is ${expected}`, () => assert.equal(formatAddress(parseAddress(text)!), expected));
}

for (const text of ['', '1.2.3', '1.2.3.256', 'x', '1::2::3', 'fe80::1%eth0', '::ffff:1.2.3', '12345::']) {
  test(`"${text}" is not an address`, () => assert.equal(parseAddress(text), undefined));
}

const detail = (errors: readonly { message: string }[]): string[] =>
  errors.map(({ message }) => message.replace(/^Invalid value: "[^"]*": /, ''));

test('non-canonical notations are refused unless the object already has them', () => {
  assert.deepEqual(detail(legacyAddress('f', '01.2.3.4')), ['must not have leading 0s']);
  assert.deepEqual(detail(legacyAddress('f', '::ffff:1.2.3.4')), ['must not be an IPv4-mapped IPv6 address']);
  assert.deepEqual(legacyAddress('f', '01.2.3.4', ['01.2.3.4']), []);
  assert.deepEqual(detail(canonicalAddress('f', '2001:DB8::1')), ['must be in canonical form ("2001:db8::1")']);
});

test('a network has no bits beyond its prefix and no leading zeros', () => {
  assert.deepEqual(detail(legacyNetwork('f', '10.0.0.1/8')), ['must not have bits set beyond the prefix length']);
  assert.deepEqual(detail(legacyNetwork('f', '10.0.0.0/08')), ['must not have leading 0s in IP or prefix length']);
  assert.deepEqual(detail(legacyNetwork('f', '10.0.0.0/33')), [
    'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ]);
});

test('special-purpose addresses cannot be endpoints', () => {
  for (const text of ['0.0.0.0', '127.0.0.1', '169.254.1.1', '224.0.0.1', '::', '::1', 'fe80::1', 'ff02::1']) {
    assert.equal(endpointAddress('f', text).length, 1, text);
  }
  for (const text of ['10.0.0.1', '8.8.8.8', '224.0.1.1', '2001:db8::1']) {
    assert.deepEqual(endpointAddress('f', text), [], text);
  }
});

test('valid but unusual notations give a warning', () => {
  assert.deepEqual(addressWarnings('f', '2001:DB8::1'), [
    'f: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
  assert.deepEqual(networkWarnings('f', '10.0.0.1/8'), [
    'f: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
  ]);
  assert.deepEqual(addressWarnings('f', '10.0.0.1'), []);
});
