import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkKindOf, parseAllowedNetworks } from './network-kind.ts';

const kinds: [address: string, kind: string | undefined][] = [
  ['8.8.8.8', undefined],
  ['2606:4700::1111', undefined],
  ['127.0.0.1', 'loopback'],
  ['127.8.8.8', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:10.0.0.1', 'private'],
  ['169.254.169.254', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['239.1.1.1', 'link-local'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['172.32.0.1', undefined],
  ['192.168.1.1', 'private'],
  ['100.100.100.200', 'private'],
  ['fd00:ec2::254', 'private'],
  ['64:ff9b::7f00:1', 'translated'],
  ['64:ff9b:1::a00:1', 'translated'],
  ['2002:7f00:1::', 'translated'],
  ['2001:0:4136:e378::', 'translated'],
  ['::7f00:1', 'translated'],
];
for (const [address, kind] of kinds) {
  test(`${address} is ${kind ?? 'public'}`, () => {
    assert.equal(networkKindOf(address), kind);
    assert.equal(parseAllowedNetworks('')?.permits(address), kind === undefined);
    assert.equal(parseAllowedNetworks(kind ?? '')?.permits(address), true);
  });
}

test('networks are listed by kind and by prefix; a star permits everything', () => {
  const allowed = parseAllowedNetworks('10.1.0.0/16, loopback fd00::/8 300.0.0.0/8 10.2.0.0/99');
  const permitted = ['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', 'fd12::1', '8.8.8.8'];
  const refused = ['10.2.0.1', '192.168.0.1', '169.254.169.254', 'fe80::1', 'localhost', ''];
  for (const address of permitted) assert.equal(allowed?.permits(address), true, address);
  for (const address of refused) assert.equal(allowed?.permits(address), false, address);
  assert.equal(parseAllowedNetworks('*'), undefined);
});
