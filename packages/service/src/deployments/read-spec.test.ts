import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GitOpsDeployment } from '@fairlead/api';
import { UserError } from '../user-error.ts';
import { readDeploymentSpec } from './read-spec.ts';

const source = { repoURL: 'https://git.example.com/shop.git', path: 'deploy' };
const deployment = (spec: object): GitOpsDeployment =>
  ({
    apiVersion: 'managed-gitops.redhat.com/v1alpha1',
    kind: 'GitOpsDeployment',
    metadata: { name: 'shop', namespace: 'blue' },
    spec: { source, type: 'automated', ...spec },
  }) as GitOpsDeployment;

test('the old spelling of repository and revision is read as the current one', () => {
  const old = readDeploymentSpec(
    deployment({ source: { repository: 'https://git.example.com/shop.git', path: '/sub/path', revision: 'main' } }),
  );
  assert.deepEqual(old, {
    repository: 'https://git.example.com/shop.git',
    path: 'sub/path',
    revision: 'main',
    syncOptions: [],
    automated: true,
  });
});

const wrong: readonly [what: string, spec: object, reason: string, message: RegExp][] = [
  ['an invalid type', { type: 'Automatic' }, 'InvalidType', /must be automated or manual, not "Automatic"/u],
  ['no type', { type: undefined }, 'InvalidSpec', /spec.type/u],
  [
    'a sync option that is misspelt',
    { syncPolicy: { syncOptions: ['CreateNamespace=yes'] } },
    'InvalidSyncOption',
    /use CreateNamespace=true or CreateNamespace=false/u,
  ],
  [
    'an unknown sync option',
    { syncPolicy: { syncOptions: ['Magic=true'] } },
    'InvalidSyncOption',
    /"Magic=true" is not known/u,
  ],
  [
    'a namespace without an environment',
    { destination: { namespace: 'other' } },
    'NamespaceWithoutEnvironment',
    /needs spec.destination.environment/u,
  ],
  [
    'a namespace that is a pattern',
    { destination: { environment: 'prod', namespace: '*' } },
    'InvalidNamespace',
    /not the name of a namespace/u,
  ],
  ['an empty path', { source: { ...source, path: '' } }, 'InvalidPath', /is empty/u],
  ['the root as path', { source: { ...source, path: '/' } }, 'InvalidPath', /cannot be '\/'/u],
  ['a path that leads out', { source: { ...source, path: 'a/../../b' } }, 'InvalidPath', /may not lead out/u],
  ['a path that is a number', { source: { ...source, path: 7 } }, 'InvalidSpec', /spec.source.path must be a string/u],
  ['no repository', { source: { path: 'deploy' } }, 'InvalidRepository', /is empty/u],
  [
    'a repository on this machine',
    { source: { ...source, repoURL: 'file:///var/lib/git/other' } },
    'InvalidRepository',
    /must begin with https/u,
  ],
  [
    'a folder of this machine',
    { source: { ...source, repoURL: '/var/lib/git/other' } },
    'InvalidRepository',
    /must begin with https/u,
  ],
  [
    'a pattern of repositories',
    { source: { ...source, repoURL: 'https://git.example.com/*' } },
    'InvalidRepository',
    /is not a repository URL/u,
  ],
  [
    'a repository that is an option',
    { source: { ...source, repoURL: '--upload-pack=touch' } },
    'InvalidRepository',
    /is not a repository URL/u,
  ],
  [
    'a password in the URL',
    { source: { ...source, repoURL: 'https://me:secret@git.example.com/a' } },
    'InvalidRepository',
    /may not hold a password/u,
  ],
  [
    'both spellings that differ',
    { source: { ...source, repository: 'https://git.example.com/b' } },
    'InvalidSpec',
    /leave one out/u,
  ],
  [
    'a revision with a line break',
    { source: { ...source, targetRevision: 'a\nb' } },
    'InvalidSpec',
    /not a branch, tag or commit/u,
  ],
];
for (const [what, spec, reason, message] of wrong) {
  test(`refused: ${what}`, () => {
    assert.throws(
      () => readDeploymentSpec(deployment(spec)),
      (error: unknown) => error instanceof UserError && error.reason === reason && message.test(error.message),
    );
  });
}
