import { find, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { Discovery, type HttpClient } from '@fairlead/kube';
import { CliError } from '../cli-error.ts';
import { partOf } from './installation.ts';

/** What was done with an object. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'kept' | 'deleted';

export type Report = (outcome: Outcome, object: KubeObject) => void;

const fieldManager = 'fairlead-install';
/** Existing ones belong to their users. */
const keptKinds: ReadonlySet<string> = new Set(['Namespace', 'AppProject']);

/** Applies objects in their order by server-side apply. */
export async function applyObjects(client: HttpClient, objects: readonly KubeObject[], report: Report): Promise<void> {
  const typeOf = typesOf(client);
  for (const object of objects) {
    const type = await typeOf(object);
    const live = await find(client.get(type, keyOf(object)));
    if (live && keptKinds.has(object.kind)) {
      report('kept', live);
      continue;
    }
    const applied = live ? withReplicasOf(live, object) : object;
    const result = await client.patch(type, keyOf(object), 'apply', applied, { fieldManager, force: true });
    const isSame = live?.metadata.resourceVersion === result.metadata.resourceVersion;
    report(live ? (isSame ? 'unchanged' : 'updated') : 'created', result);
  }
}

/** Deletes those of the objects that exist and that an installation created. */
export async function deleteObjects(client: HttpClient, objects: readonly KubeObject[], report: Report): Promise<void> {
  const typeOf = typesOf(client);
  for (const object of objects.toReversed()) {
    if (keptKinds.has(object.kind)) continue;
    const type = await typeOf(object);
    const live = await find(client.get(type, keyOf(object)));
    if (!live || !isOurs(live)) continue;
    try {
      await client.delete(type, keyOf(object), { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    report('deleted', live);
  }
}

const isOurs = ({ metadata: { labels } }: KubeObject): boolean =>
  Object.entries(partOf).every(([key, value]) => labels?.[key] === value);

type Scaled = KubeObject & { spec?: { replicas?: number } };

/** A role that was scaled, by hand or by an autoscaler, keeps its replicas when it is updated. */
function withReplicasOf(live: Scaled, object: Scaled): KubeObject {
  if (object.kind !== 'Deployment' || live.spec?.replicas === undefined) return object;
  const scaled: Scaled = { ...object, spec: { ...object.spec, replicas: live.spec.replicas } };
  return scaled;
}

const keyOf = ({ metadata: { namespace, name } }: KubeObject): { namespace?: string; name: string } =>
  namespace === undefined ? { name } : { namespace, name };

function typesOf(client: HttpClient): (object: KubeObject) => Promise<ResourceType> {
  const discovery = new Discovery(client);
  return async ({ apiVersion, kind }) => {
    const type = await discovery.resourceFor(apiVersion, kind);
    if (!type)
      throw new CliError(`the cluster has no kind ${kind} in ${apiVersion}: Kubernetes 1.27 or later is needed`);
    return type;
  };
}

export const nameOfObject = ({ kind, metadata: { namespace, name } }: KubeObject): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
