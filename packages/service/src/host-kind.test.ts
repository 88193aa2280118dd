import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOfHost, whyHostRefused } from './host-kind.ts';

const kinds: Record<string, readonly string[]> = {
  loopback: [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '::1',
    '[::1]',
    '2130706433',
  ],
  'link-local': [
    '169.254.169.254',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
  ],
  private: ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd00::1', '::ffff:a00:1'],
  cluster: ['argocd-server.argocd.svc', 'db.prod.svc.cluster.local', 'db', 'db.'],
  undefined: ['git.example.com', '172.32.0.1', '8.8.8.8', '2001:db8::1', 'svc.example.com', 'localhost.example.com'],
};
for (const [kind, hosts] of Object.entries(kinds)) {
  test(`${hosts.join(', ')}: ${kind}`, () => {
    assert.deepEqual(
      hosts.map((host) => `${host} ${kindOfHost(host)}`),
      hosts.map((host) => `${host} ${kind}`),
    );
  });
}

test('only listed kinds of hosts are refused, with the reason', () => {
  assert.equal(whyHostRefused('127.0.0.1', []), undefined);
  assert.equal(whyHostRefused('10.0.0.1', ['loopback', 'link-local']), undefined);
  assert.equal(whyHostRefused('git.example.com', ['loopback', 'link-local', 'private', 'cluster']), undefined);
  assert.match(
    whyHostRefused('10.0.0.1', ['private']) ?? '',
    /^10.0.0.1 is a private network, which your administrator/u,
  );
});
