import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import type { Cluster } from '../cluster/cluster.ts';
import {
  type ClusterProblem,
  type Clusters,
  type DestinationName,
  inClusterServer,
  notFound,
} from '../cluster/clusters.ts';
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
  ({
    find: (name: DestinationName) => (name.server || name.name ? found : notFound(name)),
    onLiveChange: () => () => {},
    onClusterChange: () => () => {},
  }) as unknown as Clusters;
const guardOf = (app: Application, rules: AppProject, found: Cluster | ClusterProblem) =>
  guard(app, {
    project: (name) => (name === 'shop' ? rules : undefined),
    clusters: clusters(found),
    controlPlaneNamespace: 'argocd',
  });
const problemsOf = (app: Application, rules = project(), found: Cluster | ClusterProblem = cluster) => {
  const guarded = guardOf(app, rules, found);
  return guarded.permitted ? [] : guarded.conditions.map(({ type, message }) => `${type}: ${message}`);
};

test('settings that do not define how to compare prevent comparison and sync', () => {
  const guarded = guard(application(), {
    project: () => project(),
    clusters: clusters(cluster),
    controlPlaneNamespace: 'argocd',
    settingsProblem: 'ConfigMap argocd-cm: resource.customizations: is not valid YAML',
  });
  assert.ok(!guarded.permitted);
  assert.equal(guarded.noSettings, true);
  assert.deepEqual(
    guarded.conditions.map(({ type }) => type),
    ['InvalidSettingWarning'],
  );
  assert.match(guarded.syncError, /resource\.customizations: is not valid YAML$/);
});

test('a valid and permitted Application passes', () => assert.deepEqual(problemsOf(application()), []));

const wrong: [title: string, application: Application, expected: RegExp][] = [
  ['no cluster', application({ destination: { namespace: 'web' } }), /Destination server missing from app spec$/],
  [
    'no source',
    application({ source: undefined }),
    /spec\.source\.repoURL and either spec\.source\.path or spec\.source\.chart are required$/,
  ],
  [
    'no path',
    application({ source: { repoURL: 'x' } }),
    /spec\.source\.repoURL and either spec\.source\.path or spec\.source\.chart are required$/,
  ],
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
  ['a number for a text', application({ project: 3 }), /spec\.project/],
  [
    'another project',
    application({ project: 'none' }),
    /^InvalidSpecError: Application referencing project none which does not exist$/,
  ],
];
for (const [title, app, expected] of wrong) {
  test(`${title}: InvalidSpecError with the same message as Argo CD`, () => {
    const [first = ''] = problemsOf(app);
    assert.match(first, /^InvalidSpecError: /);
    assert.match(first, expected);
  });
}

test('an Application in another namespace needs the permission of its project', () => {
  assert.deepEqual(problemsOf(application({}, 'team')), [
    "UnknownError: application 'web' in namespace 'team' is not permitted to use project 'shop'",
  ]);
});

test('a sync reports why the project or the cluster is missing, and lists all other problems', () => {
  const said = (app: Application, rules = project(), found: Cluster | ClusterProblem = cluster) => {
    const guarded = guardOf(app, rules, found);
    return guarded.permitted ? '' : guarded.syncError;
  };
  assert.equal(
    said(application({ project: 'none' })),
    'Failed to load application project: error getting app project "none": appproject.argoproj.io "none" not found',
  );
  assert.equal(said(application(), project(), notFound({ name: 'x' })), 'there are no clusters with this name: x');
  assert.equal(
    said(application(), project({ sourceRepos: [], destinations: [] })),
    "InvalidSpecError: application repo https://example.com/shop is not permitted in project 'shop';InvalidSpecError: application destination server 'https://kubernetes.default.svc' and namespace 'web' do not match any of the allowed destinations in project 'shop'",
  );
});

test('all violations of a project are reported at once', () => {
  const rules = project({
    sourceRepos: [],
    destinations: [],
    sourceIntegrity: { git: { policies: [{ repos: [{ url: '*' }], gpg: { mode: 'strict', keys: [] } }] } },
  });
  assert.equal(problemsOf(application(), rules).length, 3);
});

test('permitOnlyProjectScopedClusters refuses other clusters', () => {
  const rules = project({ permitOnlyProjectScopedClusters: true });
  assert.match(problemsOf(application(), rules)[0]!, /do not match any of the allowed destinations in project 'shop'$/);
  assert.deepEqual(problemsOf(application(), rules, { ...cluster, project: 'shop' }), []);
  assert.equal(problemsOf(application(), rules, { ...cluster, project: 'other' }).length, 1);
});

test('an unreachable cluster is not an invalid spec; an unknown one is', () => {
  assert.match(
    problemsOf(application(), project(), notFound({ name: 'x' }))[0]!,
    /^InvalidSpecError: there are no clusters with this name: x$/,
  );
  const away: ClusterProblem = { problem: 'Unavailable', message: 'it does not answer' };
  assert.deepEqual(problemsOf(application(), project(), away), [
    'ComparisonError: Failed to load live state: it does not answer',
  ]);
});
