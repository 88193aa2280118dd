import type { Claim, Pod, PodTemplate, StatefulSet } from '../kinds.ts';
import { isAvailable, isDeleted, isFinished, isReady } from '../pods.ts';
import { plannedOwners, waitsForCollection } from './claim-owners.ts';
import {
  claimsOf,
  firstOrdinal,
  identityMatches,
  isDesired,
  makeMember,
  ordinalOf,
  revisionOf,
  storageMatches,
} from './members.ts';

export interface Revision {
  readonly name: string;
  readonly template: PodTemplate;
}

export interface StatefulSetView {
  readonly set: StatefulSet;
  readonly current: Revision;
  readonly update: Revision;
  readonly pods: readonly Pod[];
  claim(name: string): Claim | undefined;
  readonly now: number;
}

export type MemberAction =
  | { readonly kind: 'create' | 'delete' | 'repair'; readonly pod: Pod }
  /** Creates missing claims, and sets the owners of existing ones by the retention policy. */
  | { readonly kind: 'claims'; readonly pod: Pod; readonly create: boolean };

/**
 * The actions for the pods of a StatefulSet, in order. By ordinal, each must be available before the next is processed, unless the policy
 * is Parallel; then surplus pods are deleted, highest ordinal first; then outdated pods one after the other.
 */
export function planMembers(view: StatefulSetView): MemberAction[] {
  const { set } = view;
  if (set.metadata.deletionTimestamp !== undefined) return [];
  const actions: MemberAction[] = [];
  const { members, surplus } = sorted(view);
  const ordered = set.spec.podManagementPolicy !== 'Parallel';
  for (const member of members) if (!tend(view, member, ordered, actions) && ordered) return actions;
  for (const pod of surplus) if (claimsDiffer(view, pod)) actions.push({ kind: 'claims', pod, create: false });
  for (const pod of surplus) if (!dismiss(view, surplus, pod, ordered, actions) && ordered) return actions;
  if (set.spec.updateStrategy.type !== 'OnDelete') replaceOutdated(view, members, actions);
  return actions;
}

interface Member {
  readonly pod: Pod;
  readonly exists: boolean;
}

function sorted(view: StatefulSetView): { members: Member[]; surplus: Pod[] } {
  const { set } = view;
  const first = firstOrdinal(set);
  const numbered = view.pods.flatMap((pod) => {
    const ordinal = ordinalOf(pod);
    return ordinal === undefined ? [] : [{ pod, ordinal }];
  });
  const present = new Map(numbered.flatMap(({ pod, ordinal }) => (isDesired(set, pod) ? [[ordinal, pod]] : [])));
  const members = Array.from({ length: set.spec.replicas }, (_, index): Member => {
    const pod = present.get(first + index);
    return pod ? { pod, exists: true } : { pod: newMember(view, first + index), exists: false };
  });
  const surplus = numbered
    .filter(({ pod }) => !isDesired(set, pod))
    .sort((a, b) => b.ordinal - a.ordinal)
    .map(({ pod }) => pod);
  return { members, surplus };
}

/** Below the partition a missing pod is recreated at its old revision. */
function newMember({ set, current, update }: StatefulSetView, ordinal: number): Pod {
  const { type, rollingUpdate } = set.spec.updateStrategy;
  const kept = rollingUpdate
    ? (rollingUpdate.partition ?? 0)
    : type === 'RollingUpdate'
      ? (set.status?.currentReplicas ?? 0)
      : 0;
  const { name, template } = ordinal < firstOrdinal(set) + kept ? current : update;
  return makeMember(set, template, name, ordinal);
}

/** Whether the next member may be processed. */
function tend(view: StatefulSetView, { pod, exists }: Member, ordered: boolean, actions: MemberAction[]): boolean {
  const { set, now } = view;
  if (!exists) {
    const blocked = claimsOf(set, pod).some(({ metadata }) => {
      const claim = view.claim(metadata.name);
      return claim && waitsForCollection(claim, set, pod);
    });
    if (!blocked) actions.push({ kind: 'create', pod });
    return false;
  }
  if (isFinished(pod)) {
    if (!isDeleted(pod)) actions.push({ kind: 'delete', pod });
    return false;
  }
  if (pod.status?.phase === 'Pending' && (claimsMissing(view, pod) || claimsDiffer(view, pod))) {
    actions.push({ kind: 'claims', pod, create: true });
  }
  if (ordered && (isDeleted(pod) || !isHealthy(pod) || !isAvailable(pod, set.spec.minReadySeconds ?? 0, now)))
    return false;
  if (!identityMatches(set, pod) || !storageMatches(set, pod)) actions.push({ kind: 'repair', pod });
  else if (claimsDiffer(view, pod)) actions.push({ kind: 'claims', pod, create: false });
  return true;
}

const claimsMissing = (view: StatefulSetView, pod: Pod): boolean =>
  claimsOf(view.set, pod).some(({ metadata }) => view.claim(metadata.name) === undefined);

const claimsDiffer = (view: StatefulSetView, pod: Pod): boolean =>
  claimsOf(view.set, pod).some(({ metadata }) => {
    const claim = view.claim(metadata.name);
    return claim !== undefined && plannedOwners(claim, view.set, pod) !== undefined;
  });

export const isHealthy = (pod: Pod): boolean => pod.status?.phase === 'Running' && isReady(pod);

const isUnavailable = ({ set, now }: StatefulSetView, pod: Pod): boolean =>
  isDeleted(pod) || !isAvailable(pod, set.spec.minReadySeconds ?? 0, now);

/** Whether the next surplus member may be processed. Of several unhealthy ones only the lowest is deleted; the others block. */
function dismiss(
  view: StatefulSetView,
  surplus: readonly Pod[],
  pod: Pod,
  ordered: boolean,
  actions: MemberAction[],
): boolean {
  if (isDeleted(pod)) return false;
  const firstUnwell = surplus.findLast((each) => isUnavailable(view, each));
  const unwell = !isHealthy(pod) || !isAvailable(pod, view.set.spec.minReadySeconds ?? 0, view.now);
  if (!ordered || !unwell || pod === firstUnwell) actions.push({ kind: 'delete', pod });
  return false;
}

function replaceOutdated(view: StatefulSetView, members: readonly Member[], actions: MemberAction[]): void {
  const { set, update } = view;
  const from = set.spec.updateStrategy.rollingUpdate?.partition ?? 0;
  for (const { pod, exists } of members.slice(from).reverse()) {
    if (revisionOf(pod) !== update.name && !isDeleted(pod)) {
      if (exists) actions.push({ kind: 'delete', pod });
      return;
    }
    if (isUnavailable(view, pod)) return;
  }
}
