import {
  find,
  isConflict,
  isNotFound,
  type KubeObject,
  type OwnerReference,
  type ResourceType,
  uidOf,
} from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, type Outcome, requeueAfter } from '@fairlead/kube';
import { groupOf, splitKey } from '../../keys.ts';
import type { ControllerParts, MakeController, RecordEvent, Runnable } from '../../parts.ts';
import { settling } from '../settling.ts';
import { decideCollection, type OwnerState } from './decide.ts';
import { followKinds } from './follow-kinds.ts';
import { type Consequences, type Member, memberOf, OwnerGraph } from './owner-graph.ts';

/** An owner that exists on the server but not in the graph should appear soon. */
const unseenOwnerMs = 1_000;

/**
 * Deletes objects that have lost all their owners, and handles foreground deletion and orphaning. The graph selects the objects to check;
 * the check reads from the server, so that a stale graph deletes nothing that has an owner.
 */
class GarbageCollector implements Runnable {
  readonly #parts: ControllerParts;
  readonly #client: ApiClient;
  readonly #record: RecordEvent;
  readonly #graph = new OwnerGraph();
  readonly #controller: Controller;
  /** Objects with an owner of a kind that is not served: they are checked again when the served kinds change. */
  readonly #unresolved = new Set<string>();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#client = parts.client('garbage-collector-controller');
    this.#record = parts.events('garbage-collector-controller');
    this.#controller = new Controller({
      name: 'garbage-collector',
      reconcile: settling((key) => this.#reconcile(key)),
      concurrency: 20,
      clock: parts.clock,
      log: parts.log,
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#parts.onKindsChanged(() => {
      for (const uid of this.#unresolved) this.#controller.enqueue(`check ${uid}`);
      this.#unresolved.clear();
    });
    const follow = followKinds(
      this.#parts,
      this.#client,
      {
        seen: (kind, object) => this.#follow(this.#graph.set(memberOf(kind, object))),
        gone: (uid) => this.#follow(this.#graph.remove(uid)),
      },
      signal,
    );
    await Promise.all([follow, this.#controller.run(signal)]);
  }

  #follow({ check, orphan, misplaced }: Consequences): void {
    for (const uid of check) this.#controller.enqueue(`check ${uid}`);
    for (const uid of orphan) this.#controller.enqueue(`orphan ${uid}`);
    for (const { member, owner } of misplaced) {
      const place = `[${owner.apiVersion}/${owner.kind}, namespace: ${member.namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
      this.#record(
        referenceTo(member),
        'Warning',
        'OwnerRefInvalidNamespace',
        `ownerRef ${place} does not exist in namespace ${JSON.stringify(member.namespace)}`,
      );
      this.#controller.enqueue(`check ${member.uid}`);
    }
  }

  async #reconcile(key: string): Promise<Outcome> {
    const [task, uid] = splitKey(key);
    const member = this.#graph.get(uid);
    if (!member) return done;
    return task === 'orphan' ? this.#orphan(member) : this.#check(member);
  }

  async #check(member: Member): Promise<Outcome> {
    if (member.deleting && !member.foreground) return done;
    const object = await this.#read(member.type, member.namespace, member.name);
    if (object?.metadata.uid !== member.uid) return done;
    if (member.foreground) return this.#finishForeground(member);

    const owners: { reference: OwnerReference; state: OwnerState }[] = [];
    let unseen = false;
    for (const reference of object.metadata.ownerReferences ?? []) {
      const type = this.#typeOf(reference);
      if (!type) {
        this.#unresolved.add(member.uid);
        return done;
      }
      // A cluster-scoped object cannot be owned by a namespaced one: such an owner cannot be resolved.
      if (type.namespaced && member.namespace === '') return done;
      const state = await this.#stateOf(type, member.namespace, reference);
      if (state !== 'absent' && !this.#graph.get(reference.uid)) unseen = true;
      owners.push({ reference, state });
    }
    const dependents = [...this.#graph.dependentsOf(member.uid)];
    const decision = decideCollection({
      finalizers: object.metadata.finalizers ?? [],
      owners,
      hasDependents: dependents.length > 0,
      dependentsWait: dependents.some(({ foreground }) => foreground),
    });
    if (decision.kind === 'drop-owners') await this.#dropOwners(object, member.type, decision.owners);
    if (decision.kind === 'delete') {
      if (decision.unblock) await this.#unblock(object, member.type);
      await this.#delete(object, member.type, decision.propagation);
    }
    return unseen && decision.kind === 'keep' ? requeueAfter(unseenOwnerMs) : done;
  }

  async #finishForeground(member: Member): Promise<Outcome> {
    const blocking = [...this.#graph.blockingDependentsOf(member.uid)];
    if (blocking.length === 0) await this.#removeFinalizer(member, 'foregroundDeletion');
    for (const { uid, foreground } of blocking) if (!foreground) this.#controller.enqueue(`check ${uid}`);
    return done;
  }

  async #orphan(owner: Member): Promise<Outcome> {
    for (const dependent of [...this.#graph.dependentsOf(owner.uid)]) {
      const object = await this.#read(dependent.type, dependent.namespace, dependent.name);
      if (object?.metadata.uid === dependent.uid) await this.#dropOwners(object, dependent.type, [owner.uid]);
    }
    await this.#removeFinalizer(owner, 'orphan');
    return done;
  }

  async #stateOf(type: ResourceType, namespace: string, reference: OwnerReference): Promise<OwnerState> {
    const owner = await this.#read(type, type.namespaced ? namespace : '', reference.name);
    if (owner?.metadata.uid !== reference.uid) return 'absent';
    const { deletionTimestamp, finalizers } = owner.metadata;
    return deletionTimestamp && finalizers?.includes('foregroundDeletion') ? 'waiting-for-dependents' : 'there';
  }

  #typeOf({ apiVersion, kind }: OwnerReference): ResourceType | undefined {
    const group = groupOf(apiVersion);
    return this.#parts.kinds().find((served) => served.group === group && served.kind === kind);
  }

  #read(type: ResourceType, namespace: string, name: string): Promise<KubeObject | undefined> {
    return find(this.#client.get(type, { namespace, name }));
  }

  async #dropOwners(object: KubeObject, type: ResourceType, uids: readonly string[]): Promise<void> {
    const kept = (object.metadata.ownerReferences ?? []).filter(({ uid }) => !uids.includes(uid));
    if (kept.length === object.metadata.ownerReferences?.length) return;
    await this.#patch(object, type, { ownerReferences: kept.length > 0 ? kept : null });
  }

  async #unblock(object: KubeObject, type: ResourceType): Promise<void> {
    const ownerReferences = object.metadata.ownerReferences?.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    await this.#patch(object, type, { ownerReferences });
  }

  async #removeFinalizer(member: Member, finalizer: string): Promise<void> {
    const object = await this.#read(member.type, member.namespace, member.name);
    if (object?.metadata.uid !== member.uid || !object.metadata.finalizers?.includes(finalizer)) return;
    const finalizers = object.metadata.finalizers.filter((name) => name !== finalizer);
    await this.#patch(object, member.type, { finalizers });
  }

  async #patch(object: KubeObject, type: ResourceType, metadata: object): Promise<void> {
    const { resourceVersion, uid } = object.metadata;
    const body = { metadata: { ...metadata, resourceVersion, uid } };
    await find(this.#client.patch(type, object.metadata, 'merge', body));
  }

  /** Deletes the version of the decision, or a newer one with the same owners. */
  async #delete(
    object: KubeObject,
    type: ResourceType,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<void> {
    const uid = uidOf(object);
    const { resourceVersion, ownerReferences } = object.metadata;
    const preconditions = { uid, ...(resourceVersion ? { resourceVersion } : {}) };
    try {
      await this.#client.delete(type, object.metadata, { propagationPolicy, preconditions });
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) throw error;
      const now = await this.#read(type, object.metadata.namespace ?? '', object.metadata.name);
      if (now?.metadata.uid !== uid) return;
      if (JSON.stringify(now?.metadata.ownerReferences) !== JSON.stringify(ownerReferences)) throw error;
      await this.#client.delete(type, object.metadata, { propagationPolicy, preconditions: { uid } });
    }
  }
}

/** The fields of an object for an event. */
const referenceTo = ({ type, namespace, name, uid }: Member): KubeObject => ({
  apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
  kind: type.kind,
  metadata: { name, uid, ...(namespace ? { namespace } : {}) },
});

export const garbageCollector: MakeController = (parts) => new GarbageCollector(parts);
