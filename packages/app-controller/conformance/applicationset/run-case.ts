import { applicationKind, applicationSetKind, appProjectKind } from '@fairlead/api';
import {
  ApiError,
  formatTime,
  isJsonObject,
  type KubeObject,
  type Secret,
  secretType,
  unstructured,
} from '@fairlead/apimachinery';
import { compareExpectation } from './compare.ts';
import { settingsOf } from './controller-settings.ts';
import { recordedDefect } from './differences.ts';
import { type Environment, namespace } from './environment.ts';
import { createRepository, type GitRepository } from './git-repository.ts';
import { observe } from './observe.ts';
import { substitutions } from './placeholders.ts';
import type { RecordedCase, RecordedCluster, RecordedStep } from './recorded-case.ts';

/** Runs the steps of a case, and gives what differs from what was recorded. */
export async function runCase(environment: Environment, recorded: RecordedCase): Promise<string[]> {
  const dir = environment.temporaryDir();
  const repository = recorded.commits ? createRepository(dir, recorded.commits) : undefined;
  const { insert, restore } = substitutions(environment.forge.url, repository);
  const one = insert(recorded);
  environment.forge.answers = one.http ?? [];
  repository?.push(0);
  await prepare(environment, one);
  const controller = environment.startController(settingsOf(one.controller ?? {}), `${dir}/cache`);
  const differences: string[] = [];
  try {
    await environment.settle();
    for (const [i, step] of one.steps.entries()) {
      const rejected = await carryOut(environment, one, step, repository);
      if (!step.expect) continue;
      await environment.settle();
      const observed = restore(await observe(environment, one));
      const expected = recorded.steps[i]?.expect ?? {};
      const found = compareExpectation(expected, observed, rejected, recordedDefect(recorded, i));
      differences.push(...found.map((text) => `step ${i} ${step.do}: ${text}`));
      if (found.length > 0) break;
    }
  } finally {
    await controller.stop();
    await environment.clear();
    await environment.settle();
  }
  return differences;
}

async function prepare({ client, typeOf, settle }: Environment, one: RecordedCase): Promise<void> {
  const create = async (object: KubeObject): Promise<void> => {
    let type = typeOf(object);
    for (let i = 0; !type && i < 100; i++) {
      await settle();
      type = typeOf(object);
    }
    if (!type) throw new Error(`no kind ${object.kind}`);
    await client.create(type, { ...object, metadata: { ...object.metadata, namespace } });
    const { status } = unstructured(object);
    if (status === undefined || !isJsonObject(status) || object.kind === 'Application') return;
    const key = { namespace, name: object.metadata.name };
    await client.patch(type, key, 'merge', { status }, { subresource: 'status' });
  };
  const project: KubeObject & { spec: object } = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  };
  await client.create(appProjectKind.type, project);
  for (const each of one.projects ?? []) await create(each);
  for (const cluster of one.clusters ?? []) await client.create(secretType, clusterSecret(cluster));
  for (const each of [...(one.objects ?? []), ...(one.existing ?? []), ...(one.existingSets ?? [])]) await create(each);
}

const clusterSecret = ({ name, server, project, secretName, labels, annotations }: RecordedCluster): Secret => {
  const data = { name, server, ...(project === undefined ? {} : { project }) };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretName ?? `cluster-${name}`,
      namespace,
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', ...labels },
      ...(annotations ? { annotations } : {}),
    },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  };
};

/** Carries out a step; gives what the API server refused it with. */
async function carryOut(
  environment: Environment,
  one: RecordedCase,
  step: RecordedStep,
  repository: GitRepository | undefined,
): Promise<ApiError | undefined> {
  try {
    await perform(environment, one, step, repository);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && step.expect?.rejected) return error;
    throw error;
  }
}

async function perform(
  environment: Environment,
  one: RecordedCase,
  step: RecordedStep,
  repository: GitRepository | undefined,
): Promise<void> {
  const { client, clock, typeOf } = environment;
  const set = { namespace, name: one.applicationset.metadata.name };
  const app = (name: string): { namespace: string; name: string } => ({ namespace, name });
  const withNow = async <T>(value: T): Promise<T> => {
    if (!JSON.stringify(value).includes('$NOW')) return value;
    await clock.advance(2_000);
    return JSON.parse(JSON.stringify(value).replaceAll('$NOW', formatTime(clock.now()))) as T;
  };
  const patchApp = async (name: string, patch: object): Promise<void> => {
    await client.patch(applicationKind.type, app(name), 'merge', await withNow(patch));
  };
  switch (step.do) {
    case 'create':
      await client.create(applicationSetKind.type, one.applicationset);
      return;
    case 'update': {
      const live = await client.get(applicationSetKind.type, set);
      const next = step.applicationset ?? one.applicationset;
      const { resourceVersion } = live.metadata;
      const metadata = { ...next.metadata, ...(resourceVersion ? { resourceVersion } : {}) };
      await client.replace(applicationSetKind.type, { ...next, metadata });
      return;
    }
    case 'patchSet':
      await client.patch(applicationSetKind.type, set, 'merge', step.patch);
      return;
    case 'refresh': {
      const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' };
      await client.patch(applicationSetKind.type, set, 'merge', { metadata: { annotations } });
      return;
    }
    case 'commit':
      repository?.push(step.commit ?? 0);
      await environment.untilSeen();
      return;
    case 'http':
      environment.forge.answers = step.http ?? [];
      return;
    case 'wait':
      for (let second = 0; second < (step.seconds ?? 0); second++) await environment.settle();
      return;
    case 'addCluster':
      if (step.cluster) await client.create(secretType, clusterSecret(step.cluster));
      return;
    case 'removeCluster':
      await client.delete(secretType, { namespace, name: `cluster-${step.name}` });
      return;
    case 'patchCluster':
      await client.patch(secretType, { namespace, name: `cluster-${step.name}` }, 'merge', step.patch);
      return;
    case 'createObject': {
      const type = step.object && typeOf(step.object);
      if (type && step.object)
        await client.create(type, { ...step.object, metadata: { ...step.object.metadata, namespace } });
      return;
    }
    case 'patchObject': {
      const type = typeOf({ apiVersion: step.apiVersion ?? '', kind: step.kind ?? '' });
      const options = step.subresource ? { subresource: step.subresource } : {};
      if (type) await client.patch(type, app(step.name ?? ''), 'merge', await withNow(step.patch), options);
      return;
    }
    case 'patchApplication':
      await patchApp(step.name ?? '', step.patch ?? {});
      return;
    case 'patchApplications':
      for (const name of step.names ?? []) {
        await patchApp(name, step.patch ?? {});
        await environment.settle();
      }
      return;
    case 'deleteApplication':
      await client.delete(applicationKind.type, app(step.name ?? ''));
      return;
    case 'deleteSet':
      await client.delete(applicationSetKind.type, set, { propagationPolicy: step.propagation ?? 'Background' });
      return;
    case 'finishDeletion':
      for (const name of step.names ?? []) await patchApp(name, { metadata: { finalizers: null } });
      return;
    default:
      throw new Error(`unknown step ${step.do}`);
  }
}
