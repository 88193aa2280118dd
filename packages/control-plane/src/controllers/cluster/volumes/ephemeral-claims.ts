import type { KubeObject } from '@fairlead/apimachinery';
import { podType } from '@fairlead/apimachinery';
import { Controller, done } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { claimType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import { type Claim, isFinished, type Pod } from '../objects.ts';

/** Creates the claims of ephemeral volumes. */
export const ephemeralClaims: MakeController = (parts) => {
  const client = parts.client('ephemeral-volume-controller');
  const pods = parts.informers.informer<Pod>(podType);
  const claims = parts.informers.informer<Claim>(claimType);
  const controller = new Controller({
    name: 'ephemeral-volumes',
    concurrency: 4,
    clock: parts.clock,
    log: parts.log,
    async reconcile(key) {
      const pod = pods.get(key);
      if (!pod || pod.metadata.deletionTimestamp || isFinished(pod)) return done;
      const { name, namespace, uid } = pod.metadata;
      for (const volume of pod.spec.volumes ?? []) {
        const template = volume.ephemeral?.volumeClaimTemplate;
        const claimName = `${name}-${volume.name}`;
        if (!template || claims.get(`${namespace}/${claimName}`)) continue;
        const { labels, annotations } = (template.metadata ?? {}) as KubeObject['metadata'];
        const claim = {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: {
            name: claimName,
            namespace: namespace!,
            ...(labels ? { labels } : {}),
            ...(annotations ? { annotations } : {}),
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Pod', name, uid: uid!, controller: true, blockOwnerDeletion: true },
            ],
          },
          spec: template.spec ?? {},
        };
        await forgiving(client.create(claimType, claim));
      }
      return done;
    },
  });
  controller.watch(claims, ({ metadata }) =>
    (metadata.ownerReferences ?? []).flatMap(({ kind, name }) =>
      kind === 'Pod' ? [`${metadata.namespace}/${name}`] : [],
    ),
  );
  return controller.watch(pods, (pod) => {
    const hasAny = pod.spec.volumes?.some((volume) => volume.ephemeral);
    return hasAny ? [`${pod.metadata.namespace}/${pod.metadata.name}`] : [];
  });
};
