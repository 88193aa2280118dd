/** The permissions of pre-pulling are sufficient, and its Jobs are admitted with restricted pod security. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { crdOf, kinds, type PrePullImage, prePullImageKind } from '@fairlead/api';
import { crdType, isNotFound, jobType, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import {
  type ApiClient,
  accessOf,
  Discovery,
  HttpClient,
  loadKubeconfig,
  MetricsRegistry,
  parseKubeconfig,
  silentLogger,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { parseAllDocuments } from 'yaml';
import { createPrepull } from '../src/index.ts';
import { readSettings } from '../src/policy/pull-settings.ts';
import { pullJob } from '../src/pull/pull-job.ts';
import { deployment, image, namespace, policy, prePullPolicyKind, types, until } from '../test/support/cluster.ts';

const named = process.env['FAIRLEAD_E2E_KUBECONFIG'];
const manifests = parseAllDocuments(
  readFileSync(new URL('../../../deploy/prepull-rbac.yaml', import.meta.url), 'utf8'),
).map((document) => document.toJS() as KubeObject);
let cluster: EmbeddedCluster | undefined;
let client: HttpClient;
const stopping = new AbortController();

before(async () => {
  cluster = named ? undefined : await startEmbeddedCluster({ nodes: 2, seed: 1 });
  const access = cluster
    ? await accessOf(parseKubeconfig(cluster.kubeconfig(), 'kubeconfig'))
    : await loadKubeconfig({ path: named! });
  client = new HttpClient(access.client);
  for (const kind of kinds.filter(({ type }) => type.group === 'kwarm.io')) await ensure(client, crdType, crdOf(kind));
  await until('the kinds are served', () =>
    client.list(prePullImageKind.type).then(
      () => true,
      () => false,
    ),
  );
});
after(async () => {
  stopping.abort();
  await client.close();
  await cluster?.close();
});

const ensure = async (by: ApiClient, type: ResourceType, object: KubeObject): Promise<void> => {
  const { namespace: ns, name } = object.metadata;
  await by.get(type, ns ? { namespace: ns, name } : { name }).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    await by.create(type, object, { fieldValidation: 'Strict' });
  });
};

test('Jobs and kinds are valid, also with restricted pod security', async () => {
  const ns = `restricted-${Date.now()}`;
  const strict = {
    ...namespace(ns),
    metadata: { name: ns, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  };
  await client.create(types.namespace, strict);
  try {
    const made = await client.create(
      prePullImageKind.type,
      image(ns, 'web', { image: 'registry.test/web:1', imagePullSecrets: [{ name: 'key' }] }),
      {
        fieldValidation: 'Strict',
      },
    );
    const job = pullJob(made, readSettings(made), { node: 'node-1', attempt: 0 });
    await client.create(jobType, job, { fieldValidation: 'Strict', dryRun: true });
    const { template } = job.spec as { template: KubeObject };
    const pod = {
      ...template,
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...template.metadata, name: 'pull', namespace: ns },
    };
    const podType: ResourceType = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
    await client.create(podType, pod, { fieldValidation: 'Strict', dryRun: true });
  } finally {
    await client.delete(types.namespace, { name: ns });
  }
});

test('with the permissions of deploy/prepull-rbac.yaml everything works, and Secrets of others cannot be read', {
  skip: named ? 'needs dedicated nodes' : false,
}, async () => {
  const discovery = await new Discovery(client).catalogue();
  for (const manifest of manifests) {
    const type = discovery.groups
      .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
      .find(
        ({ kind, group, version }) =>
          kind === manifest.kind && manifest.apiVersion === (group ? `${group}/${version}` : version),
      );
    await ensure(client, type!, manifest);
  }
  const own = client.as({
    user: 'system:serviceaccount:argocd:fairlead-prepull',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:argocd', 'system:authenticated'],
  });
  await assert.rejects(own.list(types.secret), /forbidden/);
  const errors: unknown[] = [];
  const log = {
    ...silentLogger,
    warn: (message: string, fields?: { error?: unknown }) => errors.push(fields?.error ?? message),
    with: () => log,
  };
  const running = createPrepull({
    client: own,
    registry: new MetricsRegistry(),
    clock: systemClock,
    random: systemRandom,
    log: log as never,
  }).run(stopping.signal);
  await client.create(types.namespace, namespace('shop'));
  await client.create(prePullPolicyKind.type, policy('all', {}));
  await client.create(types.deployment, deployment('shop', 'web', 'registry.test/web:1'));
  const done = await until('the image is pulled', async () => {
    const { items } = await client.list<PrePullImage>(prePullImageKind.type, { namespace: 'shop' });
    return items.find(({ status }) => status?.phase === 'Completed');
  });
  assert.equal(done.status?.summary?.completed, 2);
  // A new node that does not list the image yet would get it again.
  await until('the nodes list it', async () => {
    const { items } = await client.list<KubeObject & { status: { images?: { names: string[] }[] } }>(types.node);
    return items.every(({ status }) => status.images?.some(({ names }) => names.includes('registry.test/web:1')));
  });
  await client.delete(prePullImageKind.type, { namespace: 'shop', name: done.metadata.name });
  await until('it is deleted', () =>
    client.get(prePullImageKind.type, { namespace: 'shop', name: done.metadata.name }).then(() => false, isNotFound),
  );
  stopping.abort();
  await running.catch(() => {});
  const refused = errors.filter((error) => /forbidden/.test(String(error)));
  assert.deepEqual(refused, []);
});
