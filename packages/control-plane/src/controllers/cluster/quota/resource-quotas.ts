import { type KubeObject, keyOf, podType, serviceType } from '@fairlead/apimachinery';
import { Controller, done, requeueAfter } from '@fairlead/kube';
import { type Measure, measureFor } from '../../../kinds/workloads/admission/quota-usage.ts';
import type { ResourceList } from '../../../kinds/workloads/pod-spec/types.ts';
import type { Draft } from '../../../resource.ts';
import type { MakeController, ServedKind } from '../../parts.ts';
import { claimType, quotaType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import { settling } from '../settling.ts';
import { ObjectCounts } from './object-counts.ts';
import { type Quota, quotaStatus, scopesOf, sumOf } from './quota-status.ts';

/** Changes within this time are counted together. */
const gatherMs = 50;
/** Terminating pods stop counting after a time. */
const resyncMs = 5 * 60_000;

const byNamespace = 'any/namespace';
const namespaceOf = ({ metadata }: KubeObject): string[] => [metadata.namespace ?? ''];

/** Writes the usage of each quota. */
export const resourceQuotas: MakeController = (parts) => {
  const { clock, informers } = parts;
  const client = parts.client('resourcequota-controller');
  const quotas = informers.informer<Quota>(quotaType).addIndex(byNamespace, namespaceOf);
  const enqueueQuotasOf = (namespace: string): void => {
    const concerned = namespace === '' ? quotas.list() : quotas.byIndex(byNamespace, namespace);
    for (const quota of concerned) controller.enqueueAfter(keyOf(quota), gatherMs);
  };
  const counts = new ObjectCounts(parts, client, enqueueQuotasOf);
  /** Kinds with more usage than their number, which are watched anyway. */
  const weighed = [podType, serviceType, claimType].map((type) => ({
    measure: measureFor({ ...type, storage: '' })!,
    objects: informers.informer(type).addIndex(byNamespace, namespaceOf),
  }));
  const usages = new WeakMap<KubeObject, ResourceList>();

  const controller: Controller = new Controller({
    name: 'resource-quota',
    concurrency: 2,
    clock,
    log: parts.log,
    reconcile: settling(async (key) => {
      const quota = quotas.get(key);
      if (!quota) return done;
      const used = usageOf(quota);
      if (!used) return done;
      const status = quotaStatus(quota, used);
      if (!status) return requeueAfter(resyncMs);
      await forgiving(client.replace(quotaType, { ...quota, status }, { subresource: 'status' }));
      return done;
    }),
  });

  /** Undefined while a kind has not been counted yet. */
  const usageOf = (quota: Quota): ResourceList | undefined => {
    const { namespace = '' } = quota.metadata;
    const names = Object.keys(quota.spec?.hard ?? {});
    const scopes = scopesOf(quota);
    const used: ResourceList = {};
    for (const { measure, objects } of weighed) {
      const charged = names.filter((name) => measure.counts(name));
      if (charged.length === 0) continue;
      const inScope = (objects.byIndex(byNamespace, namespace) as Draft[]).filter((object) =>
        scopes.every((scope) => measure.inScope(object, scope)),
      );
      Object.assign(
        used,
        sumOf(
          inScope.map((object) => usage(measure, object)),
          charged,
        ),
      );
    }
    for (const name of names) {
      const kind = used[name] === undefined ? countedKind(name, parts.kinds()) : undefined;
      if (!kind) continue;
      const count = scopes.length > 0 ? 0 : counts.of(kind, namespace);
      if (count === undefined) return undefined;
      used[name] = String(count);
    }
    return used;
  };
  /** A terminating pod counts until its grace period is over, so only usage that does not depend on time is cached. */
  const usage = (measure: Measure, object: Draft): ResourceList => {
    if (object.metadata.deletionTimestamp) return measure.usage(object, clock.now());
    let known = usages.get(object);
    if (!known) usages.set(object, (known = measure.usage(object, clock.now())));
    return known;
  };

  for (const { objects } of weighed) {
    const changed = ({ metadata }: KubeObject) => enqueueQuotasOf(metadata.namespace || '-');
    objects.addHandler({ onAdd: changed, onUpdate: (_old, object) => changed(object), onDelete: changed });
    controller.watch(objects, () => []);
  }
  controller.watch(quotas);
  return { run: async (signal) => void (await Promise.all([counts.run(signal), controller.run(signal)])) };
};

const oldNames = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

/** The kind that a resource name counts: `count/deployments.apps`, and a few without the prefix. */
function countedKind(name: string, kinds: readonly ServedKind[]): ServedKind | undefined {
  if (!name.startsWith('count/') && !oldNames.includes(name)) return undefined;
  const [plural, ...group] = name.replace('count/', '').split('.');
  const found = kinds.find((kind) => kind.namespaced && kind.plural === plural && kind.group === group.join('.'));
  return found && measureFor({ ...found, storage: '' }) ? found : undefined;
}
