import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { RenderError } from '@fairlead/render';
import { SourceError } from '@fairlead/source';
import { TargetStateError } from '../source/target-state-error.ts';
import { type FailedPart, failedPart } from './comparison-failure.ts';

const source = { repoURL: 'https://git.example.com/shop.git', path: 'web' };
const application: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: { project: 'default', source, destination: { name: 'in-cluster' } },
};
const of = (cause: SourceError | RenderError): string =>
  new TargetStateError(cause, { source, index: 0, count: 1, requested: 'main' }).message;

const table: readonly [string, FailedPart][] = [
  [of(new SourceError('RepositoryUnavailable', `${source.repoURL}: connect ECONNREFUSED 10.0.0.1:443`)), 'repository'],
  [of(new SourceError('RepositoryUnavailable', 'https://other.example.com: the server answered 503')), 'repository'],
  [of(new SourceError('RepositoryNotFound', `${source.repoURL}: not found`)), 'repository'],
  [of(new SourceError('RevisionNotFound', `${source.repoURL} has no branch main`)), 'repository'],
  [of(new SourceError('AuthenticationFailed', 'the stored credentials were refused')), 'repository'],
  [of(new RenderError('InvalidManifest', 'web/config.yaml: mapping values are not allowed here')), 'render'],
  [of(new RenderError('InvalidOption', 'web: app path does not exist')), 'render'],
  ['Failed to load live state: cluster prod does not respond: timeout', 'cluster'],
  ['Failed to compare desired state to live state: failed to calculate diff: x', 'cluster'],
];

for (const [message, part] of table) {
  test(`${part}: ${message.replace(/^.*desc = /u, '')}`, () => assert.equal(failedPart(message, application), part));
}
