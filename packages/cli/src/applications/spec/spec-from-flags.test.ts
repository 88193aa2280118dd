import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationSpec } from '@fairlead/api';
import { parseCommand } from '../../command-line/parse.ts';
import { appSet } from '../../command-line/specs/app.ts';
import { specFromFlags } from './spec-from-flags.ts';

const empty: ApplicationSpec = { project: '', destination: {} };
const from = (before: ApplicationSpec, line: string, position?: number): ApplicationSpec =>
  specFromFlags(before, parseCommand(appSet, ['web', ...line.split(' ').filter(Boolean)]).flags, position);

test('a new Application from flags', () => {
  assert.deepEqual(
    from(
      empty,
      '--repo https://example.com/a.git --path deploy --revision v1 --dest-namespace shop --sync-policy auto --auto-prune --self-heal --sync-option CreateNamespace=true --sync-option ServerSideApply=true',
    ),
    {
      project: 'default',
      source: { repoURL: 'https://example.com/a.git', path: 'deploy', targetRevision: 'v1' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'],
      },
    },
  );
});

test('charts: later values, parameters and files replace earlier ones', () => {
  const before = from(
    empty,
    '--repo https://charts --helm-chart db --revision 1.x --helm-set a=1 --helm-set b=x=y -p c.d=e',
  );
  const { source } = from(
    before,
    '--helm-set a=2 --helm-set-string a=3 --helm-set-file f=x.txt --values v.yaml --values $ref/w.yaml --release-name r',
  );
  assert.deepEqual(source, {
    repoURL: 'https://charts',
    chart: 'db',
    targetRevision: '1.x',
    helm: {
      releaseName: 'r',
      valueFiles: ['v.yaml', '$ref/w.yaml'],
      parameters: [
        { name: 'b', value: 'x=y' },
        { name: 'c.d', value: 'e' },
        { name: 'a', value: '2' },
        { name: 'a', value: '3', forceString: true },
      ],
      fileParameters: [{ name: 'f', path: 'x.txt' }],
    },
  });
});

test('kustomizations and directories', () => {
  const before = from(
    empty,
    '--repo https://a --path k --kustomize-image nginx:1 --kustomize-image example.com:5000/app=other:2 --nameprefix a-',
  );
  const { source } = from(
    before,
    '--kustomize-image nginx=caddy:2 --kustomize-replica web=3 --kustomize-common-label a=b',
  );
  assert.deepEqual(source?.kustomize, {
    namePrefix: 'a-',
    images: ['example.com:5000/app=other:2', 'nginx=caddy:2'],
    replicas: [{ name: 'web', count: 3 }],
    commonLabels: { a: 'b' },
  });
  assert.deepEqual(from(before, '--directory-recurse --jsonnet-tla-code n=1').source?.directory, {
    recurse: true,
    jsonnet: { tlas: [{ name: 'n', value: '1', code: true }] },
  });
});

test('fields without a flag stay', () => {
  const before = from(
    empty,
    '--repo https://a --path k --sync-policy auto --auto-prune --sync-option A=1 --sync-option B=2 --dest-name prod',
  );
  assert.deepEqual(from(before, ''), before);
  assert.deepEqual(from(before, '--sync-option !A=1 --sync-option B=3').syncPolicy?.syncOptions, ['B=3']);
  assert.deepEqual(from(before, '--self-heal').syncPolicy?.automated, { prune: true, selfHeal: true });
  assert.deepEqual(from(before, '--no-auto-prune').syncPolicy?.automated, { prune: false });
  assert.equal(from(before, '--sync-policy manual').syncPolicy?.automated, undefined);
  assert.deepEqual(from(before, '--dest-server https://b').destination, { server: 'https://b' });
  assert.deepEqual(from(before, '--sync-retry-limit 3 --sync-retry-backoff-duration 10s').syncPolicy?.retry, {
    limit: 3,
    backoff: { duration: '10s' },
  });
});

test('several sources need --source-position', () => {
  const before: ApplicationSpec = {
    ...empty,
    sources: [
      { repoURL: 'https://a', path: 'a' },
      { repoURL: 'https://b', ref: 'v' },
    ],
  };
  assert.deepEqual(from(before, '--revision v2', 2).sources?.[1], {
    repoURL: 'https://b',
    ref: 'v',
    targetRevision: 'v2',
  });
  assert.throws(() => from(before, '--revision v2'), /has 2 sources: select one with --source-position, from 1 to 2/);
  assert.deepEqual(from(before, '--project shop').project, 'shop');
});

test('rejects flags that exclude each other', () => {
  assert.throws(() => from(empty, '--repo https://a --auto-prune'), /require automated sync: add --sync-policy auto/);
  assert.throws(
    () => from(empty, '--repo https://a --dest-name a --dest-server b'),
    /exclude each other: use one of them/,
  );
  assert.throws(() => from(empty, '--repo https://a --helm-set a'), /invalid --helm-set a: use NAME=VALUE/);
});
