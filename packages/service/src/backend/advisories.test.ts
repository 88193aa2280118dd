/** A published advisory of Flux about the kubeconfig of a tenant: docs/security/advisories.md lists it with this test. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { GitOpsDeploymentManagedEnvironmentSpec } from '@fairlead/api';
import { readLogin } from './read-login.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-kubeconfig-'));
after(() => rmSync(scratch, { recursive: true }));
const marker = join(scratch, 'executed');
const server = 'https://cluster.example.com:6443';
const spec = { apiURL: server, credentialsSecret: 's' } as GitOpsDeploymentManagedEnvironmentSpec;

const kubeconfig = (user: object, cluster: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

const hostile: [title: string, text: string][] = [
  [
    'a program',
    kubeconfig({
      token: 't',
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [marker] },
    }),
  ],
  [
    'a provider with a program',
    kubeconfig({ token: 't', 'auth-provider': { name: 'gcp', config: { 'cmd-path': 'touch' } } }),
  ],
  ['a file with a token', kubeconfig({ tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' })],
  ['a file with a key', kubeconfig({ token: 't', 'client-certificate': '/etc/passwd', 'client-key': '/etc/shadow' })],
  ['a file with an authority', kubeconfig({ token: 't' }, { 'certificate-authority': '/etc/passwd' })],
];
for (const [title, text] of hostile) {
  test(`GHSA-vvmq-fwmg-2gjc: a kubeconfig of a tenant that names ${title} is refused`, () => {
    assert.throws(() => readLogin(text, spec), /names files or programs of another machine/);
    assert.ok(!existsSync(marker));
  });
}

test('GHSA-vvmq-fwmg-2gjc: a kubeconfig with a token works', () => {
  assert.equal(readLogin(kubeconfig({ token: 't' }), spec).token, 't');
});
