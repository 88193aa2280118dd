import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MirroredObject } from './kinds.ts';
import { isLinkedNamespace, linkName, locationOf, matchesName, namespaceProblem } from './link-names.ts';
import type { Side } from './side.ts';
import { outgoing } from './translate.ts';

const hub: Side = {
  role: 'principal',
  mode: 'managed',
  agent: 'edge',
  namespace: 'argocd',
  mapping: 'destination',
  namespaces: ['team-*'],
  isTaken: (namespace) => namespace === 'team-agent',
};
const cluster: Side = { role: 'agent', mode: 'managed', agent: 'edge', namespace: 'fairlead', namespaces: ['team-*'] };
const at = (namespace: string, name: string): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { namespace, name },
});

test('an Application has the same name on both sides, and the same namespace unless it is the default one', () => {
  assert.equal(linkName(hub, 'Application', at('argocd', 'shop')), 'shop');
  assert.deepEqual(locationOf(cluster, 'Application', 'shop'), { namespace: 'fairlead', name: 'shop' });
  assert.equal(linkName(hub, 'Application', at('team-a', 'shop')), 'team-a/shop');
  assert.deepEqual(locationOf(cluster, 'Application', 'team-a/shop'), { namespace: 'team-a', name: 'shop' });
  assert.equal(linkName(cluster, 'Application', at('team-a', 'shop')), 'team-a/shop');
});

test('patterns select the linked namespaces, and the own namespace of an agent is never shared', () => {
  assert.ok(isLinkedNamespace(hub, 'Application', 'team-a'));
  assert.ok(!isLinkedNamespace(hub, 'Application', 'other'));
  assert.ok(!isLinkedNamespace(hub, 'Application', 'team-agent'), 'objects in it belong to that agent');
  assert.ok(!isLinkedNamespace(hub, 'AppProject', 'team-a'), 'projects are in one place');
  assert.ok(!isLinkedNamespace({ ...hub, mapping: 'namespace' }, 'Application', 'team-a'));
  assert.ok(!isLinkedNamespace({ ...cluster, mode: 'autonomous' }, 'Application', 'team-a'));
  const { namespaces: _, ...closed } = cluster;
  assert.match(
    namespaceProblem(closed, 'Application', 'team-a/shop')!,
    /does not accept Applications in namespace team-a/u,
  );
  assert.match(namespaceProblem(cluster, 'Application', 'fairlead/shop')!, /is the control plane/u);
  assert.equal(namespaceProblem(cluster, 'Application', 'team-a/shop'), undefined);
  assert.equal(namespaceProblem(closed, 'Application', 'shop'), undefined);
});

test('patterns match as in Argo CD', () => {
  for (const [pattern, text, matches] of [
    ['team-*', 'team-a', true],
    ['team-?', 'team-ab', false],
    ['a.b', 'axb', false],
    ['/^team-[ab]$/', 'team-a', true],
    ['/^team-[ab]$/', 'team-c', false],
    ['/(/', 'x', false],
  ] as const)
    assert.equal(matchesName(pattern, text), matches, `${pattern} ${text}`);
});

test('a project keeps sourceNamespaces if Applications are mapped to the same namespace', () => {
  const project = {
    ...at('argocd', 'team'),
    kind: 'AppProject',
    spec: { destinations: [{ name: 'edge', namespace: '*' }], sourceNamespaces: ['team-a'] },
  };
  assert.deepEqual(outgoing(hub, 'AppProject', project).spec!['sourceNamespaces'], ['team-a']);
  const byNamespace = outgoing({ ...hub, mapping: 'namespace' }, 'AppProject', structuredClone(project));
  assert.equal(byNamespace.spec!['sourceNamespaces'], undefined);
});
