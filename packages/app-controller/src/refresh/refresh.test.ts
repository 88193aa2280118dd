import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { comparedTo, isAutomationNew, needsRefresh, type RefreshInput } from './refresh.ts';

const spec: Application['spec'] = {
  project: 'default',
  source: { repoURL: 'https://x/y', path: '.' },
  destination: { name: 'in-cluster', namespace: 'web' },
};
const application = (
  change: Partial<Application['spec']> = {},
  annotations: Record<string, string> = {},
): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'a', annotations },
  spec: { ...spec, ...change },
  status: { sync: { status: 'Synced', comparedTo: comparedTo(spec) } },
});
const settled = { now: 1_000_000, comparedAt: 999_000, timeoutMs: 120_000 };
const never: Application = { ...application(), status: {} };

/** An Application that was synced when the namespace was to have the label `team: a`. */
const labelled = (labels: Record<string, string>): Application => {
  const app = application({ syncPolicy: { managedNamespaceMetadata: { labels } } });
  const syncResult = { revision: '', managedNamespaceMetadata: { labels: { team: 'a' } } };
  const operationState = { operation: {}, phase: 'Succeeded', startedAt: '', syncResult };
  return { ...app, status: { ...app.status, operationState } };
};

const cases: [title: string, input: Partial<RefreshInput>, expected: [level: number, why: RegExp] | undefined][] = [
  ['nothing happened', {}, undefined],
  ['never compared', { application: never }, [3, /source changed/]],
  [
    'annotation',
    { application: application({}, { 'argocd.argoproj.io/refresh': 'normal' }) },
    [3, /normal refresh requested/],
  ],
  [
    'another revision',
    { application: application({ source: { ...spec.source!, targetRevision: 'v2' } }) },
    [3, /source changed/],
  ],
  ['several sources now', { application: application({ sources: [spec.source!] }) }, [3, /source changed/]],
  ['too old', { now: 1_119_000 }, [2, /too old/]],
  ['not yet too old', { now: 1_118_999 }, undefined],
  [
    'another namespace',
    { application: application({ destination: { name: 'in-cluster', namespace: 'x' } }) },
    [2, /destination changed/],
  ],
  [
    'changed ignoreDifferences',
    { application: application({ ignoreDifferences: [{ kind: 'Deployment' }] }) },
    [2, /ignoreDifferences changed/],
  ],
  ['the soft timeout is off', { now: 9_000_000, timeoutMs: 0 }, undefined],
  ['the cache has expired', { hardTimeoutMs: 500, renewedAt: 999_000 }, [2, /cache has expired/]],
  ['another reason, and a deeper request', { now: 1_119_000, requested: 3 }, [3, /too old/]],
  ['another reason, and a lesser request', { now: 1_119_000, requested: 0 }, [2, /too old/]],
  [
    'changed labels of the managed namespace',
    { application: labelled({ team: 'b' }) },
    [2, /managed namespace metadata/],
  ],
  ['the labels that the namespace has', { application: labelled({ team: 'a' }) }, undefined],
  ['a request', { requested: 1 }, [1, /requested at level 1/]],
  ['automated sync alone requests nothing', { application: application({ syncPolicy: { automated: {} } }) }, undefined],
];
for (const [title, input, expected] of cases) {
  test(`refresh: ${title}`, () => {
    const refresh = needsRefresh({ application: application(), ...settled, ...input });
    assert.equal(refresh?.level, expected?.[0]);
    if (expected) assert.match(refresh!.why, expected[1]);
  });
}

test('a hard refresh drops cached manifests, a normal one does not', () => {
  const hard = (value: string): boolean | undefined =>
    needsRefresh({ application: application({}, { 'argocd.argoproj.io/refresh': value }), ...settled })?.hard;
  assert.equal(hard('hard'), true);
  assert.equal(hard('normal'), false);
});

test('a controller that has just started compares every Application once', () => {
  assert.equal(needsRefresh({ application: application(), now: 0, timeoutMs: 1 })?.level, 2);
});

test('automation is new if automated sync or self-heal was switched on', () => {
  const on = (automated?: object): Application['spec'] => ({ ...spec, syncPolicy: automated ? { automated } : {} });
  assert.equal(isAutomationNew(on(), on({})), true);
  assert.equal(isAutomationNew(on({ enabled: false }), on({ enabled: true })), true);
  assert.equal(isAutomationNew(on({}), on({ selfHeal: true })), true);
  assert.equal(isAutomationNew(on({ selfHeal: true }), on({ selfHeal: true, prune: true })), false);
  assert.equal(isAutomationNew(on({}), on()), false);
});
