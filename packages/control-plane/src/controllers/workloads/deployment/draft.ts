import { apiVersionOf, deploymentType, replicaSetType } from '@fairlead/apimachinery';
import { same } from '../../../kinds/workloads/equality.ts';
import type { Deployment, DeploymentStatus, PodTemplate, ReplicaSet } from '../kinds.ts';
import { controllerReference } from '../owners.ts';
import { contentHash } from '../template-hash.ts';
import {
  hasAnnotations,
  highestRevision,
  newestAnnotations,
  revisionAnnotation,
  revisionOf,
  sizeAnnotations,
} from './annotations.ts';
import { condition, conditionOf, withCondition } from './conditions.ts';
import { hasProgressDeadline, isRolling, maxSurge } from './limits.ts';

export const hashLabel = 'pod-template-hash';
const longestName = 253;

export interface DeploymentEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export type SetWrite =
  | { readonly kind: 'create' | 'update'; readonly set: ReplicaSet; readonly event?: DeploymentEvent }
  | { readonly kind: 'delete'; readonly set: ReplicaSet };

/** The result of one reconcile of a deployment while it is computed: the next replica sets and status. */
export class Draft {
  readonly deployment: Deployment;
  readonly now: number;
  readonly writes: SetWrite[] = [];
  readonly events: DeploymentEvent[] = [];
  annotations: Readonly<Record<string, string>>;
  status: DeploymentStatus;
  #sets: ReplicaSet[];

  constructor(deployment: Deployment, sets: readonly ReplicaSet[], now: number) {
    this.deployment = deployment;
    this.now = now;
    this.annotations = deployment.metadata.annotations ?? {};
    this.status = deployment.status ?? {};
    this.#sets = [...sets].sort(byAge);
  }

  get sets(): readonly ReplicaSet[] {
    return this.#sets;
  }

  /** The oldest ReplicaSet with the template of the Deployment. */
  get newest(): ReplicaSet | undefined {
    return this.#sets.find((set) => sameTemplate(set.spec.template, this.deployment.spec.template));
  }

  get old(): ReplicaSet[] {
    const { newest } = this;
    return this.#sets.filter((set) => set !== newest);
  }

  /** Updates the annotations of the newest ReplicaSet, and the revision of the Deployment. */
  adoptNewest(): ReplicaSet | undefined {
    const { newest, deployment } = this;
    if (!newest) return undefined;
    const before = newest.metadata.annotations ?? {};
    const annotations = newestAnnotations(deployment, before, highestRevision(this.old) + 1);
    const { minReadySeconds = 0 } = deployment.spec;
    let set = newest;
    if (!same(annotations, before) || (set.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      const { minReadySeconds: _, ...spec } = set.spec;
      set = this.#put({
        ...set,
        metadata: { ...set.metadata, annotations },
        spec: minReadySeconds > 0 ? { ...spec, minReadySeconds } : spec,
      });
    }
    this.#setRevision(annotations[revisionAnnotation] ?? '');
    if (hasProgressDeadline(deployment) && !conditionOf(this.status, 'Progressing')) {
      this.progress('True', 'FoundNewReplicaSet', `Found new replica set "${set.metadata.name}"`);
    }
    return set;
  }

  /** The newest ReplicaSet, created if there is none. */
  requireNewest(): ReplicaSet {
    return this.adoptNewest() ?? this.#make();
  }

  /** Whether the size changed. Without force a change of annotations alone is not written. */
  scale(set: ReplicaSet, replicas: number, force = false): boolean {
    const from = set.spec.replicas;
    const size = sizeAnnotations(this.deployment);
    if (from === replicas && (!force || hasAnnotations(set, size))) return false;
    const annotations = { ...set.metadata.annotations, ...size };
    const next = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } };
    const direction = from < replicas ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${replicas}`;
    this.#put(next, from === replicas ? undefined : { type: 'Normal', reason: 'ScalingReplicaSet', message });
    return from !== replicas;
  }

  remove(set: ReplicaSet): void {
    this.writes.push({ kind: 'delete', set });
  }

  progress(status: 'True' | 'False' | 'Unknown', reason: string, message: string): void {
    this.status = withCondition(this.status, condition('Progressing', status, reason, message, this.now));
  }

  #make(): ReplicaSet {
    const { deployment } = this;
    const { name, namespace = '' } = deployment.metadata;
    const { template, selector, minReadySeconds = 0 } = deployment.spec;
    const hash = contentHash(template, this.status.collisionCount);
    const labels = { ...template.metadata?.labels, [hashLabel]: hash };
    const revision = highestRevision(this.#sets) + 1;
    const replicas = roomForNew(deployment, this.#sets, 0);
    const set: ReplicaSet = {
      apiVersion: apiVersionOf(replicaSetType),
      kind: replicaSetType.kind,
      metadata: {
        name: `${name.slice(0, longestName - 1 - hash.length)}-${hash}`,
        namespace,
        labels,
        annotations: { ...newestAnnotations(deployment, {}, revision), ...sizeAnnotations(deployment) },
        ownerReferences: [controllerReference(deploymentType, deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds > 0 ? { minReadySeconds } : {}),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    };
    const message = `Scaled up replica set ${set.metadata.name} from 0 to ${replicas}`;
    const event = { type: 'Normal', reason: 'ScalingReplicaSet', message } as const;
    this.writes.push({ kind: 'create', set, ...(replicas > 0 ? { event } : {}) });
    this.#sets.push(set);
    this.#setRevision(String(revision));
    if (hasProgressDeadline(deployment)) {
      this.progress('True', 'NewReplicaSetCreated', `Created new replica set "${set.metadata.name}"`);
    }
    return set;
  }

  #setRevision(revision: string): void {
    if (this.annotations[revisionAnnotation] === revision) return;
    this.annotations = { ...this.annotations, [revisionAnnotation]: revision };
  }

  /** Merges all changes of a replica set into one write. */
  #put(set: ReplicaSet, event?: DeploymentEvent): ReplicaSet {
    const { name } = set.metadata;
    this.#sets = this.#sets.map((each) => (each.metadata.name === name ? set : each));
    const at = this.writes.findIndex((write) => write.set.metadata.name === name);
    const before = at < 0 ? undefined : this.writes[at];
    const recorded = event ?? (before && before.kind !== 'delete' ? before.event : undefined);
    const write = {
      kind: before?.kind === 'create' ? 'create' : 'update',
      set,
      ...(recorded ? { event: recorded } : {}),
    } as const;
    if (at < 0) this.writes.push(write);
    else this.writes[at] = write;
    return set;
  }
}

export const totalReplicas = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, { spec }) => sum + spec.replicas, 0);

/** The size that the newest ReplicaSet can have now: the desired size, or as much of it as the surge permits. */
export function roomForNew(deployment: Deployment, sets: readonly ReplicaSet[], present: number): number {
  const { replicas } = deployment.spec;
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - totalReplicas(sets);
  return room <= 0 ? present : present + Math.min(room, replicas - present);
}

export function sameTemplate(left: PodTemplate, right: PodTemplate): boolean {
  return same(withoutHash(left), withoutHash(right));
}

function withoutHash(template: PodTemplate): unknown {
  const { labels = {}, creationTimestamp: _, ...metadata } = template.metadata ?? {};
  const { [hashLabel]: __, ...others } = labels;
  return { ...template, metadata: { ...metadata, labels: others } };
}

/** Times have whole seconds: within one, the lower revision is first. One that is not created yet is the newest. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const [left, right] = [a.metadata.creationTimestamp ?? '~', b.metadata.creationTimestamp ?? '~'];
  if (left !== right) return left < right ? -1 : 1;
  return (revisionOf(a) ?? 0) - (revisionOf(b) ?? 0) || (a.metadata.name < b.metadata.name ? -1 : 1);
}
