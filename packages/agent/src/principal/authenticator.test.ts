import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { Agent } from '@fairlead/api';
import { systemClock } from '@fairlead/kube';
import { Authenticator } from './authenticator.ts';

const edge: Agent = {
  apiVersion: 'fairlead.dev/v1alpha1',
  kind: 'Agent',
  metadata: { name: 'edge', namespace: 'argocd', uid: 'u-2' },
  spec: { mode: 'managed', blockedCertificates: ['AA:BB'] },
};
const refusals: string[] = [];
const authenticator = new Authenticator({
  tokenKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  clock: systemClock,
  agents: { find: (name) => (name === 'edge' ? edge : undefined), read: async () => edge },
  version: '1',
  namespace: 'argocd',
  onRefused: (agent, reason) => refusals.push(`${agent}: ${reason}`),
});
const caller = { name: 'edge', agentUid: 'u-2', fingerprint: 'CC:DD', certificateProblem: undefined, token: undefined };

test('an agent is identified by its certificate, if that is trusted, current and not blocked', () => {
  assert.equal(authenticator.identify(caller), 'edge');
  assert.equal(
    authenticator.identify({ ...caller, agentUid: undefined }),
    'edge',
    'a certificate of an earlier version',
  );
  for (const [change, reason] of [
    [{ certificateProblem: 'it has expired' }, /it has expired/],
    [{ name: undefined }, /contains no name/],
    [{ agentUid: 'u-1' }, /issued to an earlier agent edge/],
    [{ fingerprint: 'AA:BB' }, /on the blocklist/],
  ] as const)
    assert.throws(() => authenticator.identify({ ...caller, ...change }), reason);
  assert.equal(refusals.length, 3, 'the hub is notified of each that has a name');
});
