import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import type { Cluster } from '../cluster/cluster.ts';
import { type ClusterProblem, type Clusters, inClusterServer, notFound } from '../cluster/clusters.ts';
import { guard } from './guard.ts';

const cluster = { server: inClusterServer, name: 'in-cluster' } as Cluster;
const project = (spec: AppProject['spec'] = {}): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], ...spec },
});
const application = (spec: object = {}, namespace = 'argocd'): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace },
  spec: {
    project: 'shop',
    source: { repoURL: 'https://example.com/shop', path: '.' },
    destination: { server: inClusterServer, namespace: 'web' },
    ...spec,
  },
});
const clusters = (found: Cluster | ClusterProblem): Clusters =>
  ({ find: () => found, onLiveChange: () => () => {}, onClusterChange: () => () => {} }) as unknown as Clusters;
const problemsOf = (
  app: Application,
  rules: AppProject | undefined = project(),
  found: Cluster | ClusterProblem = cluster,
) => {
  const guarded = guard(app, {
    project: (name) => (name === 'shop' ? rules : undefined),
    clusters: clusters(found),
    controlPlaneNamespace: 'argocd',
  });
  return guarded.permitted ? [] : guarded.conditions.map(({ type, message }) => `${type}: ${message}`);
};

test('what is right and permitted passes', () => assert.deepEqual(problemsOf(application()), []));

const wrong: [title: string, application: Application, expected: RegExp][] = [
  ['no cluster', application({ destination: { namespace: 'web' } }), /spec\.destination has neither server nor name/],
  ['two clusters', application({ destination: { server: 'a', name: 'b' } }), /has both server a and name b: keep one/],
  ['no source', application({ source: undefined }), /spec\.source is missing/],
  ['no path', application({ source: { repoURL: 'x' } }), /spec\.source has neither path nor chart/],
  [
    'no repository in one of several',
    application({
      sources: [
        { repoURL: 'x', ref: 'v' },
        { repoURL: '', path: '.' },
      ],
    }),
    /spec\.sources\[1\]/,
  ],
  [
    'a hydrator',
    application({
      sourceHydrator: {
        drySource: { repoURL: 'x', path: '.', targetRevision: 'y' },
        syncSource: { path: 'ab', targetBranch: 'c' },
      },
    }),
    /sourceHydrator is not supported yet/,
  ],
  ['a number for a text', application({ project: 3 }), /spec\.project/],
  [
    'another project',
    application({ project: 'none' }),
    /project none which does not exist: create it, or name another/,
  ],
  [
    'another namespace',
    application({}, 'team'),
    /namespace 'team' is not permitted to use project 'shop': add the namespace/,
  ],
];
for (const [title, app, expected] of wrong) {
  test(`${title}: InvalidSpecError names the field and the remedy`, () => {
    const [first = ''] = problemsOf(app);
    assert.match(first, /^InvalidSpecError: /);
    assert.match(first, expected);
  });
}

test('everything that a project refuses is reported at once', () => {
  const rules = project({
    sourceRepos: [],
    destinations: [],
    sourceIntegrity: { git: { policies: [{ repos: [{ url: '*' }], gpg: { mode: 'strict', keys: [] } }] } },
    destinationServiceAccounts: [{ server: '*', defaultServiceAccount: 'x' }],
  });
  assert.equal(problemsOf(application(), rules).length, 4);
});

test('only project-scoped clusters', () => {
  const rules = project({ permitOnlyProjectScopedClusters: true });
  assert.match(problemsOf(application(), rules)[0]!, /it permits only project-scoped clusters/);
  assert.deepEqual(problemsOf(application(), rules, { ...cluster, project: 'shop' }), []);
  assert.equal(problemsOf(application(), rules, { ...cluster, project: 'other' }).length, 1);
});

test('a cluster that does not answer is not an invalid spec; one that is not known is', () => {
  assert.match(
    problemsOf(application(), project(), notFound({ name: 'x' }))[0]!,
    /^InvalidSpecError: spec\.destination: there is no cluster/,
  );
  const away: ClusterProblem = { problem: 'Unavailable', message: 'it does not answer' };
  assert.deepEqual(problemsOf(application(), project(), away), [
    'ComparisonError: spec.destination: it does not answer',
  ]);
});
