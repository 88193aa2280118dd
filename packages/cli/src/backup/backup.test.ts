import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSetting } from './backup-kinds.ts';
import { portable } from './portable.ts';
import { isSealed, seal, unseal } from './sealed-secret.ts';

const application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'shop',
    namespace: 'argocd',
    uid: 'u',
    resourceVersion: '7',
    generation: 3,
    labels: { team: 'a' },
    annotations: { 'argocd.argoproj.io/refresh': 'hard', owner: 'b' },
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
    ownerReferences: [{ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'set', uid: 'x' }],
  },
  spec: { project: 'default' },
  operation: { sync: {} },
  status: { history: [{ id: 1 }], operationState: { phase: 'Running' } },
};

test('a portable Application has no owners, no operation and nothing of its API server', () => {
  assert.deepEqual(portable(application), {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'shop',
      namespace: 'argocd',
      labels: { team: 'a' },
      annotations: { owner: 'b' },
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
    spec: { project: 'default' },
    status: { history: [{ id: 1 }] },
  });
});

test('the state of an operation that has ended is kept', () => {
  const ended = { ...application, status: { operationState: { phase: 'Succeeded' } } };
  assert.deepEqual(portable(ended)['status'], { operationState: { phase: 'Succeeded' } });
});

test('a status of other kinds is not part of a backup', () => {
  assert.equal('status' in portable({ ...application, kind: 'AppProject' }), false);
});

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'repo', namespace: 'argocd' },
  data: { password: 'cGFzcw==' },
};

test('a sealed Secret opens with its passphrase and no other, and does not show its content', () => {
  const sealed = seal(secret, 'correct horse');
  assert.equal(isSealed(sealed), true);
  assert.doesNotMatch(JSON.stringify(sealed), /cGFzcw/u);
  assert.deepEqual(unseal(sealed, 'correct horse'), secret);
  assert.throws(() => unseal(sealed, 'wrong'), /Secret argocd\/repo cannot be opened: FAIRLEAD_PASSPHRASE/u);
  const data = String(sealed['data']);
  const changed = { ...sealed, data: `${data.slice(0, -6)}${data.at(-6) === 'A' ? 'B' : 'A'}${data.slice(-5)}` };
  assert.throws(() => unseal(changed, 'correct horse'), /cannot be opened/u);
  assert.notEqual(seal(secret, 'a')['data'], seal(secret, 'a')['data'], 'each has its own salt');
});

for (const [name, kind, labels, expected] of [
  ['argocd-cm', 'ConfigMap', {}, true],
  ['kube-root-ca.crt', 'ConfigMap', {}, false],
  ['argocd-secret', 'Secret', {}, true],
  ['repo-1', 'Secret', { 'argocd.argoproj.io/secret-type': 'repository' }, true],
  ['someone-elses', 'Secret', {}, false],
] as const) {
  test(`${kind} ${name} is ${expected ? '' : 'not '}part of a backup`, () => {
    assert.equal(isSetting({ apiVersion: 'v1', kind, metadata: { name, labels } }), expected);
  });
}
