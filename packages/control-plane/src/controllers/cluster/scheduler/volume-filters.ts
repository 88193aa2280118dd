import { claimNames, type Pod } from '../objects.ts';
import { type ClusterView, type Filter, rejection } from './filter.ts';
import { claimProblem, claimsOf, planVolumes } from './volume-view.ts';

const unbound = rejection('VolumeBinding', true, 'pod has unbound immediate PersistentVolumeClaims');
const inUse = rejection(
  'VolumeRestrictions',
  false,
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);
const otherZone = rejection('VolumeZone', true, 'node(s) had no available volume zone');

const usesClaims = (pod: Pod): boolean => claimNames(pod).length > 0;

/** A ReadWriteOncePod claim must not be in use by another pod. */
const oneUser: Filter = {
  name: 'VolumeRestrictions',
  prepare(pod, { state, volumes }) {
    const namespace = pod.metadata.namespace ?? '';
    for (const { name, ephemeral } of claimNames(pod)) {
      if (ephemeral) continue;
      const claim = volumes.claim(namespace, name);
      if (!claim) {
        return {
          refused: rejection('VolumeRestrictions', true, `persistentvolumeclaim ${JSON.stringify(name)} not found`),
        };
      }
      if (claim.spec.accessModes?.includes('ReadWriteOncePod') && state.isClaimUsed(namespace, name)) {
        return { check: () => inUse };
      }
    }
    return undefined;
  },
};

const volumesThere: Filter = {
  name: 'VolumeBinding',
  prepare(pod, { volumes }) {
    if (!usesClaims(pod)) return undefined;
    const problem = claimProblem(pod, volumes);
    if (problem) return { refused: rejection('VolumeBinding', true, problem) };
    const claims = claimsOf(pod, volumes);
    if (claims.unbound.length > 0) return { refused: unbound };
    return {
      check({ node }) {
        const planned = planVolumes(claims, node, volumes);
        return 'plan' in planned ? undefined : rejection('VolumeBinding', true, ...planned.reasons);
      },
    };
  },
};

const zoneLabels = [
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
];
const presentName = (label: string): string => label.replace('failure-domain.beta.', 'topology.');

/** A volume with a zone label is accessible in that zone. */
const sameZone: Filter = {
  name: 'VolumeZone',
  prepare(pod, cluster) {
    if (!usesClaims(pod)) return undefined;
    const zones = volumeZones(pod, cluster);
    if (zones.length === 0) return undefined;
    return {
      check({ node }) {
        const labels = node.metadata.labels ?? {};
        if (!zoneLabels.some((label) => labels[label] !== undefined)) return undefined;
        const fits = zones.every(({ label, values }) => values.has(labels[label] ?? labels[presentName(label)] ?? ''));
        return fits ? undefined : otherZone;
      },
    };
  },
};

function volumeZones(pod: Pod, { volumes }: ClusterView): { label: string; values: Set<string> }[] {
  return claimsOf(pod, volumes).bound.flatMap((claim) => {
    const labels = volumes.volume(claim.spec.volumeName!)?.metadata.labels ?? {};
    return zoneLabels.flatMap((label) =>
      labels[label] === undefined ? [] : [{ label, values: new Set(labels[label].split('__')) }],
    );
  });
}

export const volumeFilters: readonly Filter[] = [oneUser, volumesThere, sameZone];
