import { apiVersionOf, find, type ObjectKey, type ObjectMeta, type ResourceType } from '@fairlead/apimachinery';
import type { Target } from '../harness/target.ts';
import type { ChartObject } from './chart-case.ts';

const hidden = new Set(['Event', 'Endpoints', 'EndpointSlice', 'Lease', 'PodMetrics', 'NodeMetrics']);

/** Everything in the cluster that belongs to no other object, except what the cluster creates itself. */
export async function objectsIn(target: Target): Promise<ChartObject[]> {
  const lists = await Promise.all(
    (await typesOf(target)).map(async (type) => {
      const list = await find(target.reader.list(type));
      return (list?.items ?? []).flatMap(({ metadata }): ChartObject[] => {
        if (metadata.ownerReferences?.length || isCommon(type.kind, metadata)) return [];
        const { group, kind } = type;
        const { namespace, name } = metadata;
        return [{ ...(group ? { group } : {}), kind, ...(namespace ? { namespace } : {}), name }];
      });
    }),
  );
  return lists.flat();
}

/** One version of each kind. */
async function typesOf({ kinds }: Target): Promise<ResourceType[]> {
  const types = new Map<string, ResourceType>();
  for (const type of await kinds()) if (!hidden.has(type.kind)) types.set(`${type.group}/${type.kind}`, type);
  return [...types.values()];
}

/** Objects that a cluster creates itself, for every namespace or every group of a CustomResourceDefinition. */
const isCommon = (kind: string, { name, labels }: ObjectMeta): boolean =>
  (kind === 'ServiceAccount' && name === 'default') ||
  (kind === 'ConfigMap' && name === 'kube-root-ca.crt') ||
  (kind === 'APIService' && labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined);

export const keyOf = ({ group = '', kind, namespace = '', name }: ChartObject): string =>
  [group, kind, namespace, name].join('/');

/** They reject requests if their backend does not exist, so they are deleted before all others. */
const gates = new Set(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService']);
/** Deleting one of these deletes many objects, which may have finalizers. */
const containers = new Set(['CustomResourceDefinition', 'Namespace']);
const rank = ({ kind }: ChartObject): number => (gates.has(kind) ? 0 : containers.has(kind) ? 2 : 1);

/** Deletes all objects except these, and waits until they are deleted. */
export async function removeObjectsExcept(target: Target, kept: ReadonlySet<string>): Promise<void> {
  const rest = (await objectsIn(target)).filter((object) => !kept.has(keyOf(object)));
  for (const stage of [0, 1, 2]) {
    const types = await typesOf(target);
    await Promise.all(
      rest
        .filter((object) => rank(object) === stage)
        .map(async (object) => {
          const type = types.find((one) => one.group === (object.group ?? '') && one.kind === object.kind);
          if (type) await remove(target, type, object);
        }),
    );
  }
}

const patienceMs = 10_000;
const limitMs = 60_000;

async function remove(target: Target, type: ResourceType, { namespace, name }: ChartObject): Promise<void> {
  const { destination, clock } = target;
  const key: ObjectKey = { ...(namespace ? { namespace } : {}), name };
  const started = clock.now();
  if (!(await find(destination.delete(type, key, { propagationPolicy: 'Background' })))) return;
  while (await find(destination.get(type, key))) {
    if (clock.now() - started > limitMs) throw new Error(`${apiVersionOf(type)} ${type.kind} ${name} was not deleted`);
    // The controllers of its finalizers do not run here.
    if (clock.now() - started > patienceMs)
      await find(destination.patch(type, key, 'merge', { metadata: { finalizers: null } }));
    await target.pass(500);
  }
}
