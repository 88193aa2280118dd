import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { ignoring } from './ignore-differences.ts';

const application = (parameters: { name: string; value: string }[], targetRevision = 'main'): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web' },
  spec: {
    project: 'default',
    destination: {},
    source: { repoURL: 'https://example.com/a.git', targetRevision, helm: { parameters } },
  },
});

const noJq = { paths: async () => [] };

test('an ignored field is as it is in the live Application', async () => {
  const rules = ignoring([{ jsonPointers: ['/spec/source/targetRevision'] }], noJq);
  const result = await rules?.apply(application([], 'v2'), application([], 'hotfix'));
  assert.equal(result?.spec.source?.targetRevision, 'hotfix');
});

test('a rule for another Application does not apply', async () => {
  const rules = ignoring([{ name: 'api', jsonPointers: ['/spec/source/targetRevision'] }], noJq);
  const result = await rules?.apply(application([], 'v2'), application([], 'hotfix'));
  assert.equal(result?.spec.source?.targetRevision, 'v2');
});

test('an ignored item of a list stays when the rest of the list changes', async () => {
  const tag = { name: 'image.tag', value: 'v9' };
  const jq = { paths: async (_: string, object: unknown) => (JSON.stringify(object).includes('v9') ? [itemPath] : []) };
  const itemPath = ['spec', 'source', 'helm', 'parameters', 1];
  const rules = ignoring(
    [{ jqPathExpressions: ['.spec.source.helm.parameters[] | select(.name == "image.tag")'] }],
    jq,
  );
  const live = application([{ name: 'replicas', value: '1' }, tag]);
  const result = await rules?.apply(application([{ name: 'replicas', value: '2' }]), live);
  assert.deepEqual(result?.spec.source?.helm?.parameters, [{ name: 'replicas', value: '2' }, tag]);
});

test('the name of an Application cannot be ignored', async () => {
  const rules = ignoring([{ jsonPointers: ['/metadata/name', '/metadata'] }], noJq);
  const result = await rules?.apply(application([]), {
    ...application([]),
    metadata: { name: 'web', labels: { a: 'b' } },
  });
  assert.equal(result?.metadata.name, 'web');
});
