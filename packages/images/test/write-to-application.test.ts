/** The write-back to the Application itself, on the embedded API server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind, crdOf } from '@fairlead/api';
import { crdType, isNotFound, type KubeObject } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { type ApiClient, limits, sleep, systemClock } from '@fairlead/kube';
import { selectionRule } from '../src/registry/image-registries.ts';
import type { Report } from '../src/run/report.ts';
import { SharedTimeout } from '../src/run/shared-timeout.ts';
import { SlowRegistries } from '../src/run/slow-registries.ts';
import { type UpdateEnv, updateApplication } from '../src/run/update-application.ts';
import { watchedApplications } from '../src/run/watched-applications.ts';
import { selectTag } from '../src/tags/select-tag.ts';

let cluster: EmbeddedCluster;
let client: ApiClient;
const namespace = 'argocd';

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 0, seed: 1 });
  client = cluster.client('test');
  await client.create(crdType, crdOf(applicationKind));
  const type = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
  await client.create(type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (;;) {
    try {
      await client.list(applicationKind.type);
      break;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await sleep(systemClock, 20);
    }
  }
});
after(() => cluster.close());

const prefix = 'argocd-image-updater.argoproj.io';

async function made(name: string, source: object, status: object = { sourceType: 'Helm' }): Promise<Application> {
  const annotations = {
    [`${prefix}/image-list`]: 'web=ghcr.io/acme/web:^1',
    [`${prefix}/web.helm.image-name`]: 'image.repository',
    [`${prefix}/web.helm.image-tag`]: 'image.tag',
  };
  const spec = { project: 'default', destination: { namespace: 'x' }, ...source };
  await client.create(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace, annotations },
    spec,
  } as unknown as KubeObject);
  const patch = { status: { ...status, summary: { images: ['ghcr.io/acme/web:1.1'] } } };
  return (await client.patch(applicationKind.type, { namespace, name }, 'merge', patch)) as Application;
}

const read = (name: string): Promise<Application> => client.get<Application>(applicationKind.type, { namespace, name });

async function update(application: Application): Promise<Report> {
  const env = {
    deadline: new SharedTimeout(systemClock, limits.imageUpdateMs),
    slowRegistries: new SlowRegistries(systemClock),
    registries: {
      registryOf: () => 'ghcr.io',
      select: async (rule: Parameters<typeof selectionRule>[0]) => ({
        selection: selectTag([{ name: '1.1' }, { name: '1.20' }], selectionRule(rule)),
        image: undefined,
      }),
    },
    client,
    dryRun: false,
  } as unknown as UpdateEnv;
  const { watched } = watchedApplications([application], [], { controllerNamespace: namespace, annotations: true });
  return updateApplication(env, watched[0]!, 0);
}

test('values in the Application are changed in place, and a null is kept', async () => {
  const valuesObject = { image: { repository: 'ghcr.io/acme/web', tag: '1.1' }, probe: { path: null } };
  const source = { repoURL: 'https://git.test/chart', path: '.', helm: { valuesObject, releaseName: 'web' } };
  const report = await update(await made('object', { source }));
  assert.deepEqual(report.problems, []);
  assert.equal(report.updated.length, 1);
  const { helm } = (await read('object')).spec.source!;
  assert.deepEqual(helm, {
    valuesObject: { image: { repository: 'ghcr.io/acme/web', tag: '1.20' }, probe: { path: null } },
    releaseName: 'web',
  });
  const again = await update(await read('object'));
  assert.deepEqual([again.updated, again.problems], [[], []], 'a tag that is set but not yet live is not set again');
});

test('with several sources only the chart is written to', async () => {
  const sources = [
    { repoURL: 'https://git.test/values', ref: 'values' },
    { repoURL: 'https://charts.test', chart: 'web', targetRevision: '1.0', helm: { valueFiles: ['$values/a.yaml'] } },
  ];
  await update(await made('several', { sources }, { sourceTypes: ['Directory', 'Helm'] }));
  const after = (await read('several')).spec.sources!;
  assert.deepEqual(after[0], sources[0]);
  assert.deepEqual(after[1]!.helm, {
    valueFiles: ['$values/a.yaml'],
    parameters: [
      { name: 'image.repository', value: 'ghcr.io/acme/web', forceString: true },
      { name: 'image.tag', value: '1.20', forceString: true },
    ],
  });
});

test('concurrent changes by others are kept', async () => {
  const source = { repoURL: 'https://git.test/chart', path: '.', helm: { values: 'image:\n  tag: "1.1"\n' } };
  const seen = await made('busy', { source });
  const patch = { spec: { source: { helm: { releaseName: 'theirs' } } } };
  await client.patch(applicationKind.type, { namespace, name: 'busy' }, 'merge', patch);
  const { problems } = await update(seen);
  assert.deepEqual(problems, []);
  const { helm } = (await read('busy')).spec.source!;
  assert.equal(helm?.releaseName, 'theirs');
  assert.equal(helm?.values, 'image:\n  tag: "1.20"\n');
});

test('an Application that was recreated with the same name is not written', async () => {
  const source = { repoURL: 'https://git.test/chart', path: '.', helm: { valuesObject: { image: { tag: '1.1' } } } };
  const seen = await made('again', { source });
  await client.delete(applicationKind.type, { namespace, name: 'again' });
  await made('again', { source });
  const { problems, updated } = await update(seen);
  assert.deepEqual(updated, []);
  assert.match(String(problems[0]?.error.message), /was replaced/u);
  assert.deepEqual((await read('again')).spec.source!.helm, source.helm);
});
