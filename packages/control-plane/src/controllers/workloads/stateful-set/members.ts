import type { KubeObject } from '@fairlead/apimachinery';
import { must, statefulSetType } from '@fairlead/apimachinery';
import { claimType } from '../../resource-types.ts';
import type { Claim, Pod, PodTemplate, StatefulSet } from '../kinds.ts';
import { podFromTemplate } from '../pod-maker.ts';

export const podNameLabel = 'statefulset.kubernetes.io/pod-name';
export const podIndexLabel = 'apps.kubernetes.io/pod-index';
export const revisionLabel = 'controller-revision-hash';

/** The ordinal of a pod, from its name; undefined if the name does not have that form. */
export function ordinalOf({ metadata }: KubeObject): number | undefined {
  const ordinal = /-(\d+)$/.exec(metadata.name)?.[1];
  return ordinal !== undefined && Number(ordinal) <= 0x7fffffff ? Number(ordinal) : undefined;
}

/** Whether the name belongs to the StatefulSet. */
export function isMember(set: StatefulSet, { metadata }: KubeObject): boolean {
  return /^(.*)-\d+$/.exec(metadata.name)?.[1] === set.metadata.name;
}

export const firstOrdinal = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;

export function isDesired(set: StatefulSet, pod: KubeObject): boolean {
  const ordinal = ordinalOf(pod);
  const first = firstOrdinal(set);
  return ordinal !== undefined && ordinal >= first && ordinal < first + set.spec.replicas;
}

export const revisionOf = ({ metadata }: KubeObject): string => metadata.labels?.[revisionLabel] ?? '';

export const claimName = (set: StatefulSet, template: string, ordinal: number): string =>
  `${template}-${set.metadata.name}-${ordinal}`;

/** The claims of a pod, as they are created. */
export function claimsOf(set: StatefulSet, pod: KubeObject): Claim[] {
  const ordinal = ordinalOf(pod) ?? -1;
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { name, labels, annotations, finalizers } = template.metadata;
    const all = { ...labels, ...set.spec.selector.matchLabels };
    return {
      apiVersion: 'v1',
      kind: claimType.kind,
      metadata: {
        name: claimName(set, name, ordinal),
        namespace: set.metadata.namespace ?? '',
        ...(Object.keys(all).length > 0 ? { labels: all } : {}),
        ...(annotations ? { annotations } : {}),
        ...(finalizers ? { finalizers } : {}),
      },
      ...(template.spec ? { spec: template.spec } : {}),
    };
  });
}

/** A pod of the StatefulSet at one of its revisions. */
export function makeMember(set: StatefulSet, template: PodTemplate, revision: string, ordinal: number): Pod {
  const pod = podFromTemplate(template, statefulSetType, set);
  const name = `${set.metadata.name}-${ordinal}`;
  const named: Pod = {
    ...pod,
    metadata: { ...pod.metadata, name, labels: { ...pod.metadata.labels, [revisionLabel]: revision } },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
    },
  };
  return withStorage(set, withIdentity(set, named));
}

export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const ordinal = must(ordinalOf(pod), `the ordinal of pod ${pod.metadata.name}`);
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = { ...pod.metadata.labels, [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
  return { ...pod, metadata: { ...pod.metadata, name, namespace: set.metadata.namespace ?? '', labels } };
}

/** Volumes of the claims replace those of the template with the same name. */
export function withStorage(set: StatefulSet, pod: Pod): Pod {
  const templates = set.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0) return pod;
  const ordinal = must(ordinalOf(pod), `the ordinal of pod ${pod.metadata.name}`);
  const own = templates.map(({ metadata }) => ({
    name: metadata.name,
    persistentVolumeClaim: { claimName: claimName(set, metadata.name, ordinal) },
  }));
  const names = new Set(own.map(({ name }) => name));
  const others = (pod.spec.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...pod, spec: { ...pod.spec, volumes: [...own, ...others] } };
}

export const identityMatches = (set: StatefulSet, pod: Pod): boolean =>
  isMember(set, pod) && pod.metadata.labels?.[podNameLabel] === pod.metadata.name;

export function storageMatches(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  return (set.spec.volumeClaimTemplates ?? []).every(({ metadata }) => {
    const volume = pod.spec.volumes?.find(({ name }) => name === metadata.name);
    return volume?.persistentVolumeClaim?.claimName === claimName(set, metadata.name, ordinal ?? -1);
  });
}
