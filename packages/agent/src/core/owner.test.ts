import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotation, type MirroredKind, type MirroredObject } from './kinds.ts';
import { decideDelete, decideUpsert, shownState } from './mirror.ts';
import { isOwnMirror, type Ownership, ownershipOf } from './owner.ts';
import type { Side } from './side.ts';

const hub = (agent: string, agentUid = `uid-of-${agent}`): Side => ({
  role: 'principal',
  mode: 'autonomous',
  agent,
  agentUid,
  namespace: 'argocd',
  agentExists: ({ agent: name, uid }) => ['site', 'site-a'].includes(name) && uid === `uid-of-${name}`,
});
const cluster: Side = { role: 'agent', mode: 'managed', agent: 'edge', namespace: 'argocd', namespaces: ['team-*'] };

const project = (name: string, annotations: Record<string, string> = {}): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name, namespace: 'argocd', uid: `uid-${name}`, annotations },
  spec: {},
});
const mirror = (of: string, owner?: readonly [agent: string, uid?: string], namespace = 'argocd'): MirroredObject => {
  const made = project('site-a-x', {
    [annotation.sourceUid]: of,
    ...(owner ? { [annotation.agent]: owner[0] } : {}),
    ...(owner?.[1] ? { [annotation.agentUid]: owner[1] } : {}),
  });
  return { ...made, metadata: { ...made.metadata, namespace } };
};
const sent = (uid: string, name = 'x'): MirroredObject => ({ ...project(name), metadata: { name, uid } });

const cases: readonly [string, Side, MirroredKind, MirroredObject, Ownership][] = [
  ['a recorded owner', hub('site'), 'AppProject', mirror('s', ['site', 'uid-of-site']), 'own'],
  [
    'another agent, whose name is a prefix',
    hub('site-a'),
    'AppProject',
    mirror('s', ['site', 'uid-of-site']),
    'foreign',
  ],
  [
    'an Agent of the same name that was deleted',
    hub('site'),
    'AppProject',
    mirror('s', ['site', 'earlier']),
    'leftover',
  ],
  ['an Agent that was deleted', hub('site'), 'AppProject', mirror('s', ['gone', 'uid-of-gone']), 'leftover'],
  ['a newer Agent of the same name', hub('site', 'old'), 'AppProject', mirror('s', ['site', 'uid-of-site']), 'foreign'],
  ['no record in the shared namespace', hub('site'), 'AppProject', mirror('s'), 'unrecorded'],
  ['no record in the namespace of the agent', hub('site'), 'Application', mirror('s', undefined, 'site'), 'own'],
  ['any agent in the own namespace of a cluster', cluster, 'Application', mirror('s', ['before']), 'own'],
  ['another agent in another namespace', cluster, 'Application', mirror('s', ['west'], 'team-a'), 'foreign'],
  [
    'an earlier Agent of the name in another namespace',
    cluster,
    'Application',
    mirror('s', ['edge', 'u'], 'team-a'),
    'own',
  ],
];
for (const [name, side, kind, object, expected] of cases)
  test(`the owner of a mirror: ${name}`, () => assert.equal(ownershipOf(side, kind, object), expected));

test('the mirror of another agent is not written, not deleted and not listed', () => {
  const foreign = mirror('s', ['site', 'uid-of-site']);
  const side = hub('site-a');
  for (const uid of ['s', 'other'])
    assert.deepEqual(decideUpsert(side, 'AppProject', sent(uid), foreign), {
      do: 'refuse',
      reason: 'AppProject site-a-x belongs to agent site: rename it on one of the two clusters',
    });
  assert.deepEqual(decideDelete(side, 'AppProject', 's', foreign), { do: 'nothing' });
  assert.equal(isOwnMirror(side, 'AppProject', foreign), false);
  assert.equal(isOwnMirror(hub('site'), 'AppProject', foreign), true);
});

test('a leftover of a deleted Agent is replaced', () => {
  const leftover = mirror('s', ['gone', 'uid-of-gone']);
  assert.equal(decideUpsert(hub('site-a'), 'AppProject', sent('t'), leftover).do, 'wait');
  assert.equal(decideDelete(hub('site-a'), 'AppProject', 's', leftover).do, 'delete');
  const taken = decideUpsert(hub('site-a'), 'AppProject', sent('s'), leftover);
  assert.ok(taken.do === 'update');
  assert.equal(taken.object.metadata.annotations?.[annotation.agent], 'site-a');
  assert.equal(taken.object.metadata.annotations?.[annotation.agentUid], 'uid-of-site-a');
});

test('a mirror of an earlier version gets its owner with the next state of the same uid, and no other agent can claim it', () => {
  const unrecorded = mirror('s');
  assert.equal(decideUpsert(hub('site'), 'AppProject', sent('s', 'a-x'), unrecorded).do, 'update');
  assert.equal(decideUpsert(hub('site-a'), 'AppProject', sent('t'), unrecorded).do, 'refuse');
});

test('a project of the hub is adopted by an agent only with the annotation of the project', () => {
  const own = project('site-a-x');
  const refused = decideUpsert(hub('site-a'), 'AppProject', sent('s'), own);
  assert.ok(refused.do === 'refuse');
  assert.match(refused.reason, /already exists and is not a mirror/u);
  const always = { [annotation.adoption]: 'always' };
  const claimed = { ...sent('s'), metadata: { ...sent('s').metadata, annotations: always } };
  assert.equal(decideUpsert(hub('site-a'), 'AppProject', claimed, own).do, 'refuse', 'the agent cannot set it');
  assert.equal(decideUpsert(hub('site-a'), 'AppProject', sent('s'), project('site-a-x', always)).do, 'update');
});

test('an agent cannot declare another owner in the annotations of its objects', () => {
  const lie = {
    ...sent('s'),
    metadata: {
      ...sent('s').metadata,
      annotations: { [annotation.agent]: 'site', [annotation.agentUid]: 'uid-of-site' },
    },
  };
  const made = decideUpsert(hub('site-a'), 'AppProject', lie, undefined);
  assert.ok(made.do === 'create');
  assert.equal(made.object.metadata.annotations?.[annotation.agent], 'site-a');
});

test('a mirror whose owner annotation was removed counts as edited', () => {
  const made = decideUpsert(hub('site'), 'AppProject', sent('s'), undefined);
  assert.ok(made.do === 'create');
  assert.notEqual(shownState(hub('site'), 'AppProject', made.object), '');
  const { [annotation.agentUid]: _, ...annotations } = made.object.metadata.annotations ?? {};
  const edited = { ...made.object, metadata: { ...made.object.metadata, annotations } };
  assert.equal(shownState(hub('site'), 'AppProject', edited), '');
});
