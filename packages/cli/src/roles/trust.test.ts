import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trustIn } from './trust.ts';

test('reads current host keys and certificates from the ConfigMaps of Argo CD', () => {
  const maps = new Map<string, Record<string, string>>();
  const trust = trustIn((name) => maps.get(name));
  assert.equal(trust.knownHosts(), '');
  assert.equal(trust.certificates('git.example.com'), undefined);
  maps.set('argocd-ssh-known-hosts-cm', { ssh_known_hosts: 'git.example.com ssh-ed25519 AAAA\n' });
  maps.set('argocd-tls-certs-cm', { 'git.example.com': 'PEM' });
  assert.equal(trust.knownHosts(), 'git.example.com ssh-ed25519 AAAA\n');
  assert.equal(trust.certificates('git.example.com'), 'PEM');
  assert.equal(trust.certificates('other.example.com'), undefined);
});
