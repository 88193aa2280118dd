import { isNotFound, keyOf, podType } from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, type Outcome, requeueAfter } from '@fairlead/kube';
import { defaultClass } from '../../../kinds/cluster/storage/default-class.ts';
import { splitKey } from '../../keys.ts';
import type { ControllerParts, MakeController, RecordEvent, Runnable } from '../../parts.ts';
import { claimType, storageClassType, volumeType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import { type Claim, isFinished, type Pod, type StorageClass, type Volume } from '../objects.ts';
import { OwnWrites } from '../own-writes.ts';
import { catchUpMs, settling } from '../settling.ts';
import { BindingWrites } from './binding-writes.ts';
import { type ClaimView, decideClaim, type VolumeEvent } from './decide-claim.ts';
import { decideReclaim, decideVolume } from './decide-volume.ts';
import {
  indexClaims,
  indexPodsByClaim,
  indexVolumes,
  podsUsing,
  unboundClaims,
  volumesFor,
  volumesOfClass,
} from './indexes.ts';

/** A claim that waits for its first consumer is reconciled again after this time. */
const resyncMs = 15_000;

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Binds claims to volumes and reclaims volumes whose claims are deleted. One at a time: two claims must not take one volume. */
class VolumeBinder implements Runnable {
  readonly #client: ApiClient;
  readonly #record: RecordEvent;
  readonly #writes = new OwnWrites();
  readonly #binding: BindingWrites;
  readonly #controller: Controller;
  readonly #claims;
  readonly #volumes;
  readonly #classes;
  readonly #view: ClaimView;
  /** The last event of each claim or volume, so that it is recorded once. */
  readonly #said = new Map<string, string>();

  constructor(parts: ControllerParts) {
    const { informers } = parts;
    this.#client = parts.client('persistentvolume-controller');
    this.#record = parts.events('persistentvolume-controller');
    this.#binding = new BindingWrites(this.#client, this.#writes);
    this.#claims = indexClaims(informers.informer<Claim>(claimType));
    this.#volumes = indexVolumes(informers.informer<Volume>(volumeType));
    this.#classes = informers.informer<StorageClass>(storageClassType);
    const pods = indexPodsByClaim(informers.informer<Pod>(podType));
    this.#controller = new Controller({
      name: 'volume-binder',
      clock: parts.clock,
      log: parts.log,
      reconcile: settling((key) => this.#reconcile(key)),
    });
    this.#view = {
      volume: (name) => this.#volumes.get(name),
      volumesOfClass: (name) => volumesOfClass(this.#volumes, name),
      volumesFor: (claim) => volumesFor(this.#volumes, keyOf(claim)),
      storageClass: (name) => this.#classes.get(name),
      defaultClass: () => defaultClass(this.#classes.list(), defaultAnnotations),
      waitingPods: (claim) =>
        podsUsing(pods, keyOf(claim))
          .filter((pod) => !pod.spec.nodeName && !isFinished(pod))
          .map(({ metadata }) => metadata.name)
          .sort(),
    };
    this.#follow();
    this.#controller.watch(pods, () => []);
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#controller.run(signal);
  }

  #follow(): void {
    const keysOf = (volume: Volume): string[] => {
      const { claimRef } = volume.spec;
      const own = claimRef ? [`claim ${claimRef.namespace}/${claimRef.name}`] : [];
      return [`volume ${volume.metadata.name}`, ...own];
    };
    this.#controller.watch(this.#claims, (claim) => [
      `claim ${keyOf(claim)}`,
      ...volumesFor(this.#volumes, keyOf(claim)).map(({ metadata }) => `volume ${metadata.name}`),
    ]);
    this.#controller.watch(this.#volumes, keysOf).watch(this.#classes, () => []);
    const offer = ({ metadata, spec, status }: Volume): void => {
      if (status?.phase !== 'Available' || metadata.deletionTimestamp) return;
      for (const claim of unboundClaims(this.#claims, spec.storageClassName ?? '')) this.#enqueueClaim(claim);
    };
    this.#volumes.addHandler({
      onAdd: offer,
      onUpdate: (_old, volume) => offer(volume),
      onDelete: ({ metadata }) => void this.#said.delete(`volume ${metadata.name}`),
    });
    this.#claims.addHandler({ onDelete: (claim) => void this.#said.delete(`claim ${keyOf(claim)}`) });
    const classChanged = ({ metadata }: StorageClass): void => {
      for (const name of [metadata.name, ''])
        for (const claim of unboundClaims(this.#claims, name)) this.#enqueueClaim(claim);
    };
    this.#classes.addHandler({ onAdd: classChanged, onUpdate: (_old, each) => classChanged(each) });
  }

  #enqueueClaim(claim: Claim): void {
    this.#controller.enqueue(`claim ${keyOf(claim)}`);
  }

  async #reconcile(key: string): Promise<Outcome> {
    const [kind, name] = splitKey(key);
    const informer = kind === 'claim' ? this.#claims : this.#volumes;
    if (this.#writes.isBehind(key, (each) => informer.get(each))) return requeueAfter(catchUpMs);
    try {
      if (kind === 'claim') return await this.#reconcileClaim(name);
      await this.#reconcileVolume(name);
      return done;
    } catch (error) {
      if (isNotFound(error)) return done;
      throw error;
    }
  }

  async #reconcileClaim(key: string): Promise<Outcome> {
    const claim = this.#claims.get(key);
    if (!claim) return done;
    const decision = decideClaim(claim, this.#view);
    switch (decision.kind) {
      case 'bind':
        await this.#binding.bind(decision.volume, claim);
        return done;
      case 'take-class':
        await this.#binding.setClass(claim, decision.name);
        return done;
      case 'lost':
        if (claim.status?.phase === 'Lost') return done;
        await this.#binding.setClaimStatus(claim, 'Lost');
        this.#say(`claim ${key}`, claim, decision.event);
        return done;
      case 'provision': {
        const { provisioner } = decision;
        const annotated = await this.#binding.setProvisioner(claim, provisioner);
        const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
        this.#say(`claim ${key}`, annotated, { type: 'Normal', reason: 'ExternalProvisioning', message });
        return done;
      }
      case 'wait': {
        if (decision.event) this.#say(`claim ${key}`, claim, decision.event);
        if (decision.event?.reason !== 'ProvisioningFailed') await this.#binding.setClaimStatus(claim, 'Pending');
        return decision.event?.reason.startsWith('WaitFor') ? requeueAfter(resyncMs) : done;
      }
    }
  }

  async #reconcileVolume(name: string): Promise<void> {
    const volume = this.#volumes.get(name);
    if (!volume) return;
    const ref = volume.spec.claimRef;
    const claim = ref?.name ? await this.#claimOf(`${ref.namespace}/${ref.name}`) : undefined;
    const decision = decideVolume(volume, claim);
    switch (decision.kind) {
      case 'phase':
        await this.#binding.setPhase(volume, decision.phase);
        return;
      case 'enqueue-claim':
        return this.#enqueueClaim(claim!);
      case 'unbind':
        return this.#binding.unbind(volume);
      case 'mismatch':
        this.#say(`volume ${name}`, volume, decision.onVolume);
        return this.#say(`claim ${keyOf(claim!)}`, claim!, decision.onClaim);
      case 'release': {
        const settled = volume.status?.phase === 'Released' || volume.status?.phase === 'Failed';
        return this.#reclaim(settled ? volume : await this.#binding.setPhase(volume, 'Released'));
      }
    }
  }

  /** A claim that the informer does not have may be too new. */
  async #claimOf(key: string): Promise<Claim | undefined> {
    const [namespace, name] = key.split('/') as [string, string];
    return this.#claims.get(key) ?? (await forgiving(this.#client.get<Claim>(claimType, { namespace, name })));
  }

  async #reclaim(volume: Volume): Promise<void> {
    const reclaim = decideReclaim(volume);
    const key = `volume ${volume.metadata.name}`;
    if (reclaim.kind === 'delete') await forgiving(this.#client.delete(volumeType, volume.metadata));
    if (reclaim.kind === 'recycle') {
      this.#say(key, volume, { type: 'Normal', reason: 'VolumeRecycled', message: 'Volume recycled' });
      await this.#binding.unbind(volume);
    }
    if (reclaim.kind === 'fail' && volume.status?.phase !== 'Failed') {
      await this.#binding.setPhase(volume, 'Failed', reclaim.event.message);
      this.#say(key, volume, reclaim.event);
    }
  }

  #say(key: string, object: Claim | Volume, { type, reason, message }: VolumeEvent): void {
    const words = `${object.metadata.uid} ${reason} ${message}`;
    if (this.#said.get(key) === words) return;
    this.#said.set(key, words);
    this.#record(object, type, reason, message);
  }
}

export const volumeBinder: MakeController = (parts) => new VolumeBinder(parts);
