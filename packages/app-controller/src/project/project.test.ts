import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import {
  isDestinationPermitted,
  isResourcePermitted,
  isSourceNamespacePermitted,
  isSourcePermitted,
} from './project.ts';

const project = (spec: AppProject['spec']): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'p' },
  spec,
});
const cluster = { server: 'https://kubernetes.default.svc', name: 'in-cluster' };

const sources: [patterns: string[], url: string, permitted: boolean][] = [
  [['*'], 'https://example.com/a/b.git', true],
  [[], 'https://example.com/a', false],
  [['https://example.com/a.git'], 'https://EXAMPLE.com/a/', true],
  [['https://example.com/a'], 'https://example.com/b', false],
  [['https://example.com/*'], 'https://example.com/a', true],
  [['https://example.com/*'], 'https://example.com/team/a', false],
  [['https://example.com/**'], 'https://example.com/team/a.git', true],
  [['*', '!https://example.com/secret'], 'https://example.com/secret.git', false],
  [['*', '!https://example.com/secret'], 'https://example.com/open', true],
  [['http://*.corp.com/*'], 'http://git.corp.com/x', true],
  [['http://*.corp.com/*'], 'http://127.0.0.1:18099?.corp.com/x', false],
  [['http://*.corp.com/*'], 'http://127.0.0.1:18099#.corp.com/x', false],
  [['http://*.corp.com/*'], 'http://x.corp.com@127.0.0.1:18099/x', false],
  [['http://*.corp.com/*'], 'http://127.0.0.1\\.corp.com/x', false],
  [['*', '!git@github.com:evil/*'], 'git@github.com:evil/x', false],
  [['*', '!git@github.com:evil/*'], 'ssh://git@github.com:22//evil/x', false],
  [['*', '!git@github.com:evil/*'], 'git@GitHub.com:Evil/X', false],
  [['*', '!https://github.com/Evil/*'], 'https://user@github.com.:443/evil/x', false],
  [['*', '!https://github.com/evil/*'], 'https://github.com/%65vil/x', false],
  [['git@github.com:team/*'], 'ssh://git@github.com/team/x.git', true],
  [['https://example.com/Team/*'], 'https://example.com/team/A', true],
  [['https://host/team/*'], 'https://host/team/%2e%2e/evil', false],
  [['https://host/team*'], 'https://host/team%2f..%2fevil', false],
  [['*'], 'http://host/%zz', false],
  [['registry.example.com:5000/*'], 'registry.example.com:5000/charts', true],
  [['oci://registry.example.com/*'], 'oci://registry.example.com/charts', true],
];
for (const [patterns, repoURL, permitted] of sources) {
  test(`sourceRepos ${patterns.join(' ') || '(none)'}: ${repoURL} is ${permitted ? 'permitted' : 'refused'}`, () => {
    assert.equal(isSourcePermitted(project({ sourceRepos: patterns }), { repoURL }), permitted);
  });
}

type Destination = NonNullable<AppProject['spec']['destinations']>[number];
const destinations: [entries: Destination[], namespace: string, permitted: boolean][] = [
  [[{ server: '*', namespace: '*' }], 'web', true],
  [[{ server: 'https://other', namespace: '*' }], 'web', false],
  [[{ name: 'in-*', namespace: 'web' }], 'web', true],
  [[{ server: cluster.server, namespace: 'team-*' }], 'team-a', true],
  [[{ server: cluster.server, namespace: 'team-*' }], 'other', false],
  [
    [
      { server: '*', namespace: '*' },
      { server: '*', namespace: '!kube-system' },
    ],
    'kube-system',
    false,
  ],
  [
    [
      { server: '*', namespace: '*' },
      { server: '*', namespace: '!kube-system' },
    ],
    'web',
    true,
  ],
  [
    [
      { server: '*', namespace: '*' },
      { server: `!${cluster.server}`, namespace: '*' },
    ],
    'web',
    false,
  ],
  [[{ server: '*' }], 'web', false],
];
for (const [entries, namespace, permitted] of destinations) {
  test(`destinations ${JSON.stringify(entries)}: ${namespace} is ${permitted ? 'permitted' : 'refused'}`, () => {
    assert.equal(isDestinationPermitted(project({ destinations: entries }), cluster, namespace), permitted);
  });
}

test('cluster-scoped kinds must be whitelisted, namespaced ones must not be blacklisted', () => {
  const everywhere = { destinations: [{ server: '*', namespace: '*' }] };
  const namespace = { group: '', kind: 'Namespace', namespace: '', name: 'team-a' };
  const quota = { group: '', kind: 'ResourceQuota', namespace: 'web', name: 'q' };
  const permitted = (spec: AppProject['spec'], id: typeof quota): boolean =>
    isResourcePermitted(project({ ...everywhere, ...spec }), cluster, id);
  assert.equal(permitted({}, namespace), false);
  assert.equal(permitted({ clusterResourceWhitelist: [{ group: '*', kind: '*' }] }, namespace), true);
  assert.equal(
    permitted({ clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'team-*' }] }, namespace),
    true,
  );
  assert.equal(
    permitted({ clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'other-*' }] }, namespace),
    false,
  );
  assert.equal(
    permitted(
      {
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
        clusterResourceBlacklist: [{ group: '', kind: 'Namespace' }],
      },
      namespace,
    ),
    false,
  );
  assert.equal(permitted({}, quota), true);
  assert.equal(permitted({ namespaceResourceWhitelist: [] }, quota), false);
  assert.equal(permitted({ namespaceResourceBlacklist: [{ group: '', kind: 'ResourceQuota' }] }, quota), false);
  assert.equal(permitted({ destinations: [{ server: '*', namespace: 'other' }] }, quota), false);
});

const homes: [patterns: string[], namespace: string, permitted: boolean][] = [
  [[], 'team-a', false],
  [['team-*'], 'team-a', true],
  [['team-*'], 'other', false],
  [['/^team-(a|b)$/'], 'team-b', true],
  [['/^team-(a|b)$/'], 'team-c', false],
  [['/(/'], 'team-c', false],
];
for (const [patterns, namespace, permitted] of homes) {
  test(`sourceNamespaces ${patterns.join(' ') || '(none)'}: ${namespace} is ${permitted ? 'permitted' : 'refused'}`, () => {
    assert.equal(isSourceNamespacePermitted(project({ sourceNamespaces: patterns }), namespace), permitted);
  });
}

test('a cluster that is denied by name is denied in every namespace', () => {
  const denying = project({
    destinations: [
      { server: '*', namespace: '*' },
      { name: '!in-cluster', namespace: 'web' },
    ],
  });
  assert.equal(isDestinationPermitted(denying, cluster, 'other'), false);
});

test('a project that permits only its own clusters uses no other', () => {
  const own = project({ permitOnlyProjectScopedClusters: true, destinations: [{ server: '*', namespace: '*' }] });
  assert.equal(isDestinationPermitted(own, { ...cluster, project: 'p' }, 'web'), true);
  assert.equal(isDestinationPermitted(own, { ...cluster, project: 'q' }, 'web'), false);
  assert.equal(isDestinationPermitted(own, cluster, 'web'), false);
});
