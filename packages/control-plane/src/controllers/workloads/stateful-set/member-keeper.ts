import { find, isAlreadyExists, messageOf, podType, uidOf } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import type { RecordEvent } from '../../parts.ts';
import { claimType } from '../../resource-types.ts';
import type { Claim, Pod, StatefulSet } from '../kinds.ts';
import type { Writer } from '../own-writes.ts';
import { isNamespaceGoing } from '../pod-maker.ts';
import { hasForeignController, plannedOwners } from './claim-owners.ts';
import { claimsOf, identityMatches, storageMatches, withIdentity, withStorage } from './members.ts';
import type { MemberAction } from './plan-members.ts';

type Verb = 'Create' | 'Update' | 'Delete';

/** Executes the planned actions for the members of a set, and records events about it. */
export class MemberKeeper {
  readonly #client: Writer;
  readonly #claims: Informer<Claim>;
  readonly #record: RecordEvent;

  constructor(client: Writer, claims: Informer<Claim>, record: RecordEvent) {
    this.#client = client;
    this.#claims = claims;
    this.#record = record;
  }

  async carryOut(set: StatefulSet, action: MemberAction): Promise<void> {
    const { pod } = action;
    if (action.kind === 'claims') {
      if (action.create) await this.#createClaims(set, pod);
      await this.#recorded(set, pod, 'Update', () => this.#settleOwners(set, pod), 'failures');
    } else if (action.kind === 'create') {
      await this.#recorded(set, pod, 'Create', () => this.#create(set, pod));
    } else if (action.kind === 'delete') {
      await this.#recorded(set, pod, 'Delete', () => this.#delete(pod));
    } else await this.#recorded(set, pod, 'Update', () => this.#repair(set, pod));
  }

  async #create(set: StatefulSet, pod: Pod): Promise<void> {
    await this.#createClaims(set, pod);
    await this.#client.create(podType, pod);
    await this.#settleOwners(set, pod);
  }

  async #delete(pod: Pod): Promise<void> {
    await find(this.#client.delete(podType, pod.metadata, { preconditions: { uid: uidOf(pod) } }));
  }

  async #repair(set: StatefulSet, pod: Pod): Promise<void> {
    let repaired = identityMatches(set, pod) ? pod : withIdentity(set, pod);
    if (!storageMatches(set, pod)) {
      repaired = withStorage(set, repaired);
      await this.#createClaims(set, pod);
    }
    await this.#settleOwners(set, pod);
    await this.#client.replace(podType, repaired);
  }

  async #createClaims(set: StatefulSet, pod: Pod): Promise<void> {
    const failures: string[] = [];
    for (const claim of claimsOf(set, pod)) {
      const { name, namespace } = claim.metadata;
      const present = this.#claims.get(`${namespace}/${name}`);
      if (present?.metadata.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
      if (present) continue;
      const place = `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
      try {
        await this.#client.create(claimType, claim);
        this.#record(set, 'Normal', 'SuccessfulCreate', `Create Claim ${name} ${place} success`);
      } catch (error) {
        if (isNamespaceGoing(error)) throw error;
        failures.push(`failed to create PVC ${name}: ${messageOf(error)}`);
        if (isAlreadyExists(error)) continue;
        const message = `Create Claim ${name} for ${place} failed error: ${messageOf(error)}`;
        this.#record(set, 'Warning', 'FailedCreate', message);
      }
    }
    if (failures.length > 0) throw new Error(failures.length === 1 ? failures[0] : `[${failures.join(', ')}]`);
  }

  async #settleOwners(set: StatefulSet, pod: Pod): Promise<void> {
    for (const { metadata } of claimsOf(set, pod)) {
      const claim = this.#claims.get(`${metadata.namespace}/${metadata.name}`);
      if (!claim) continue;
      if (hasForeignController(claim, set, pod)) {
        const message = `PersistentVolumeClaim ${metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        this.#record(set, 'Warning', 'ConflictingController', message);
      }
      const ownerReferences = plannedOwners(claim, set, pod);
      if (!ownerReferences) continue;
      const { ownerReferences: _, ...rest } = claim.metadata;
      const owned = ownerReferences.length > 0 ? { ...rest, ownerReferences } : rest;
      await this.#client.replace(claimType, { ...claim, metadata: owned });
    }
  }

  async #recorded(
    set: StatefulSet,
    pod: Pod,
    verb: Verb,
    run: () => Promise<void>,
    record: 'all' | 'failures' = 'all',
  ): Promise<void> {
    const subject = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    try {
      await run();
    } catch (error) {
      if (!isAlreadyExists(error) && !isNamespaceGoing(error)) {
        this.#record(set, 'Warning', `Failed${verb}`, `${subject} failed error: ${messageOf(error)}`);
      }
      throw error;
    }
    if (record === 'all') this.#record(set, 'Normal', `Successful${verb}`, `${subject} successful`);
  }
}
