import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, networkOf, trustedProxies } from './client-address.ts';

test('X-Forwarded-For counts only from trusted proxies, and its last foreign address', () => {
  const isTrusted = trustedProxies(['10.0.0.0/8', '::1']);
  const from = (address: string, forwarded?: string): string =>
    clientAddress(address, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, isTrusted);
  assert.equal(from('203.0.113.9', '1.2.3.4'), '203.0.113.9');
  assert.equal(from('10.0.0.1', '1.2.3.4'), '1.2.3.4');
  assert.equal(from('::ffff:10.0.0.1', 'spoofed, 1.2.3.4, 10.0.0.7'), '1.2.3.4');
  assert.equal(from('10.0.0.1', '6.6.6.6, 1.2.3.4'), '1.2.3.4');
  assert.equal(from('10.0.0.1', 'garbage'), '10.0.0.1');
  assert.equal(from('10.0.0.1'), '10.0.0.1');
  assert.throws(() => trustedProxies(['10.0.0.0/33']), /is not an address or a network/u);
});

test('addresses of IPv6 count by their network', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
});
