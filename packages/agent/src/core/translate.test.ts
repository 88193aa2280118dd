import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MirroredKind, MirroredObject } from './kinds.ts';
import type { Side } from './side.ts';
import { belongs, incoming, outgoing, projectNames } from './translate.ts';

const project = (
  spec: Record<string, unknown>,
  metadata: Partial<MirroredObject['metadata']> = {},
): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'team', namespace: 'argocd', ...metadata },
  spec,
});
const side = (role: Side['role'], mode: Side['mode']): Side => ({ role, mode, agent: 'edge', namespace: 'argocd' });

const rules: [string, Record<string, unknown>, boolean][] = [
  ['a name that is the agent’s', { destinations: [{ name: 'edge' }], sourceNamespaces: ['*'] }, true],
  ['a pattern', { destinations: [{ name: 'ed*' }], sourceNamespaces: ['edge'] }, true],
  ['any server', { destinations: [{ server: '*' }], sourceNamespaces: ['*'] }, true],
  [
    'the address of the proxy to it',
    { destinations: [{ server: 'https://proxy:9090?agentName=edge' }], sourceNamespaces: ['*'] },
    true,
  ],
  [
    'that of another',
    { destinations: [{ server: 'https://proxy:9090?agentName=other' }], sourceNamespaces: ['*'] },
    false,
  ],
  ['a name that is denied', { destinations: [{ name: '*' }, { name: '!edge' }], sourceNamespaces: ['*'] }, false],
  ['Applications of another namespace alone', { destinations: [{ name: '*' }], sourceNamespaces: ['other'] }, false],
  ['no namespace', { destinations: [{ name: '*' }] }, false],
];
for (const [words, spec, names] of rules) {
  test(`a project with ${words} ${names ? 'is sent' : 'is not sent'} to the agent`, () => {
    assert.equal(projectNames(side('principal', 'managed'), project(spec)), names);
  });
}

test('an agent gets the part of a project that concerns it, with its own cluster as the destination', () => {
  const sent = outgoing(
    side('principal', 'managed'),
    'AppProject',
    project({
      description: 'd',
      destinations: [
        { name: 'edge', namespace: 'a' },
        { name: 'other', namespace: 'b' },
      ],
      sourceNamespaces: ['edge'],
      roles: [{ name: 'admin' }],
    }),
  );
  assert.deepEqual(sent.spec, {
    description: 'd',
    destinations: [{ name: 'in-cluster', server: 'https://kubernetes.default.svc', namespace: 'a' }],
  });
});

test('a project of an autonomous agent is on the hub under a separate name, with its policies', () => {
  const shown = incoming(
    side('principal', 'autonomous'),
    'AppProject',
    project({
      destinations: [{ server: 'https://kubernetes.default.svc', namespace: '*' }],
      roles: [
        { name: 'dev', policies: ['p, proj:team:dev, applications, get, team/*, allow', 'g, someone, role:admin'] },
      ],
    }),
  );
  assert.equal(shown.metadata.name, 'edge-team');
  assert.deepEqual(shown.spec, {
    destinations: [{ name: 'edge', server: '*', namespace: '*' }],
    sourceNamespaces: ['edge'],
    roles: [
      {
        name: 'dev',
        policies: ['p, proj:edge-team:dev, applications, get, edge-team/edge/*, allow', 'g, someone, role:admin'],
      },
    ],
  });
});

test('a managed Application is in-cluster on the agent with its finalizers; an autonomous one names the agent on the hub and has none', () => {
  const app: MirroredObject = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'shop',
      namespace: 'edge',
      finalizers: ['f'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' }],
    },
    spec: { project: 'team', destination: { server: 'https://hub', namespace: 'shop' } },
    status: { health: { status: 'Healthy' } },
  };
  const managed = incoming(side('agent', 'managed'), 'Application', app);
  assert.deepEqual(
    [managed.metadata, managed.spec!['destination'], managed.status],
    [{ name: 'shop', namespace: 'argocd', finalizers: ['f'] }, { namespace: 'shop', name: 'in-cluster' }, undefined],
  );
  const autonomous = incoming(side('principal', 'autonomous'), 'Application', app);
  assert.deepEqual(
    [autonomous.metadata, autonomous.spec, autonomous.status],
    [
      { name: 'shop', namespace: 'edge' },
      { project: 'edge-team', destination: { namespace: 'shop', name: 'edge' } },
      app.status,
    ],
  );
});

test('repositories are sent to the agents of their project, and never to the hub', () => {
  const secret: MirroredObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'r', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    data: { project: Buffer.from('team').toString('base64') },
  };
  const known = project({ destinations: [{ name: 'edge' }], sourceNamespaces: ['*'] });
  const goes = (kind: MirroredKind, object: MirroredObject, projects: MirroredObject[]) =>
    belongs(side('principal', 'managed'), kind, object, (name) =>
      projects.find(({ metadata }) => metadata.name === name),
    );
  assert.equal(goes('Repository', secret, [known]), true);
  assert.equal(goes('Repository', secret, []), false);
  assert.equal(goes('Repository', { ...secret, metadata: { name: 'r', namespace: 'argocd' } }, [known]), false);
});
