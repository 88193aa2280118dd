import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { type Application, applicationKind, appProjectKind, crdOf, crdYaml } from './index.ts';

const application = (spec: object): object => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  spec,
});
const destination = { server: 'https://kubernetes.default.svc', namespace: 'web' };
const source = { repoURL: 'https://example.com/web.git', path: 'deploy' };

const cases: [title: string, spec: object, problems: string[]][] = [
  ['one source', { project: 'default', destination, source }, []],
  [
    'helm with everything',
    {
      project: 'default',
      destination: { name: 'in-cluster' },
      source: { ...source, helm: { valuesObject: { a: [1, { b: null }] }, parameters: [{ name: 'x', value: 'y' }] } },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { limit: -1, backoff: { duration: '5s', factor: 2 } },
      },
    },
    [],
  ],
  [
    'several sources with a ref',
    { project: 'p', destination, sources: [source, { repoURL: 'https://x/y', ref: 'values' }] },
    [],
  ],
  [
    'no source',
    { project: 'p', destination },
    ['spec.source.repoURL and either spec.source.path or spec.source.chart are required'],
  ],
  [
    'a source without its repository',
    { project: 'p', destination, source: { path: '.' } },
    [
      'spec.source.repoURL is required: add it (Where the manifests are: a Git repository, a Helm repository or an OCI registry.)',
    ],
  ],
  [
    'two destinations',
    { project: 'p', source, destination: { server: 's', name: 'n' } },
    ['spec.destination has both server s and name n: keep one of them'],
  ],
  [
    'no destination',
    { project: 'p', source, destination: { namespace: 'x' } },
    ['spec.destination has neither server nor name: set one of them'],
  ],
  [
    'neither path nor chart',
    { project: 'p', destination, sources: [{ repoURL: 'https://x/y' }] },
    ['spec.source.repoURL and either source.path, source.chart, or source.ref are required for source spec.sources[0]'],
  ],
  [
    'a chart without a version',
    { project: 'p', destination, source: { repoURL: 'https://x', chart: 'redis' } },
    ['spec.source.targetRevision is required if the manifest source is a helm chart'],
  ],
];
for (const [title, spec, expected] of cases) {
  test(`Application: ${title}`, () => {
    const problems = applicationKind.validate(application(spec));
    assert.deepEqual(
      problems.map((p) => `${p.field} ${p.message}`),
      expected,
    );
  });
}

test('the types follow from the schema', () => {
  const typed: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web' },
    spec: { project: 'default', destination, source },
    status: { sync: { status: 'Synced' }, resources: [{ kind: 'Service', health: { status: 'Healthy' } }] },
  };
  // @ts-expect-error sync.status is required
  typed.status = { sync: {} };
  // @ts-expect-error a project is a string
  typed.spec.project = 7;
});

test('the CRD has a structural schema, and is the same when read from YAML', () => {
  const crd = crdOf(applicationKind);
  assert.deepEqual(parse(crdYaml(applicationKind)), JSON.parse(JSON.stringify(crd)));
  assert.equal(crd.metadata.name, 'applications.argoproj.io');
  assert.doesNotMatch(crdYaml(appProjectKind), /[&*][a-z]\d/u);
});
