import { find, formatMicroTime, isAlreadyExists, isConflict, isNotFound, leaseType } from '@fairlead/apimachinery';
import type { ApiClient } from '../client/api-client.ts';
import type { Lease } from '../leader-election/lease.ts';
import { readShardMap, type ShardMap, withShardMap } from './shard-map.ts';

/** The holder of the Lease of a group. A process that works alone writes its own identity, and waits as long as the group renews. */
export const groupHolder = 'fairlead-shards';
const groupLabel = 'fairlead.dev/shards';
const epochAnnotation = 'fairlead.dev/shard-epoch';

export interface ShardLeasesOptions {
  readonly client: ApiClient;
  /** The Lease of the group. */
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly identity: string;
  readonly leaseMs: number;
}

/** The epoch that a member has acknowledged: it works only on keys that it owns in the map of that epoch. */
export const acknowledgedEpoch = ({ metadata }: Lease): number =>
  Number(metadata.annotations?.[epochAnnotation] ?? 0) || 0;

export const memberOf = ({ spec }: Lease): string => spec?.holderIdentity ?? '';

/** The requests of a member: one Lease for the group, with the map, and one for each member. Writes are conditional on the last read version. */
export class ShardLeases {
  readonly #options: ShardLeasesOptions;

  constructor(options: ShardLeasesOptions) {
    this.#options = options;
  }

  /** The Lease of the group. */
  group(signal: AbortSignal): Promise<Lease | undefined> {
    return this.#find(this.#options.lease.name, signal);
  }

  /** The Leases of all members. It may be an old list: nothing may be concluded from a Lease that is not in it. */
  async members(signal: AbortSignal): Promise<readonly Lease[]> {
    const { client, lease } = this.#options;
    const labelSelector = `${groupLabel}=${lease.name}`;
    return (await client.list<Lease>(leaseType, { namespace: lease.namespace, labelSelector, signal })).items;
  }

  /** Writes the map, or only renews; undefined if another process was faster. */
  async writeGroup(
    old: Lease | undefined,
    map: ShardMap,
    now: number,
    signal: AbortSignal,
  ): Promise<Lease | undefined> {
    const { lease, leaseMs } = this.#options;
    const time = formatMicroTime(now);
    const isEmpty = map.members.length === 0;
    const isKept = old?.spec?.holderIdentity === groupHolder;
    const spec = {
      ...old?.spec,
      holderIdentity: isEmpty ? '' : groupHolder,
      leaseDurationSeconds: isEmpty ? 1 : Math.ceil(leaseMs / 1000),
      acquireTime: isKept ? (old.spec?.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: (old?.spec?.leaseTransitions ?? -1) + (isKept ? 0 : 1),
    };
    const metadata = { namespace: lease.namespace, name: lease.name };
    const base: Lease = old ?? { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
    const next = withShardMap({ ...base, spec }, map);
    return this.#write(old, next, signal);
  }

  /** Creates or renews the Lease of this member; undefined if it is not as last read. */
  async writeOwn(old: Lease | undefined, epoch: number, now: number, signal: AbortSignal): Promise<Lease | undefined> {
    const { lease, identity, leaseMs } = this.#options;
    const time = formatMicroTime(now);
    const next: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        ...old?.metadata,
        namespace: lease.namespace,
        name: this.#nameOf(identity),
        labels: { [groupLabel]: lease.name },
        annotations: { [epochAnnotation]: String(epoch) },
      },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(leaseMs / 1000),
        acquireTime: old?.spec?.acquireTime ?? time,
        renewTime: time,
      },
    };
    return this.#write(old, next, signal);
  }

  own(signal: AbortSignal): Promise<Lease | undefined> {
    return this.of(this.#options.identity, signal);
  }

  of(member: string, signal: AbortSignal): Promise<Lease | undefined> {
    return this.#find(this.#nameOf(member), signal);
  }

  /** Deletes the Lease of a member, if it is still the one that was observed. From then on the member cannot renew. */
  async remove(observed: Lease, signal: AbortSignal): Promise<boolean> {
    const { uid, resourceVersion } = observed.metadata;
    const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
    const key = { namespace: this.#options.lease.namespace, name: observed.metadata.name };
    const deletion = this.#options.client.delete(leaseType, key, { preconditions, signal });
    return (await unless(deletion, (error) => isConflict(error) || isNotFound(error))) !== undefined;
  }

  #write(old: Lease | undefined, next: Lease, signal: AbortSignal): Promise<Lease | undefined> {
    const { client } = this.#options;
    return old
      ? unless(client.replace<Lease>(leaseType, next, { signal }), (error) => isConflict(error) || isNotFound(error))
      : unless(client.create<Lease>(leaseType, next, { signal }), isAlreadyExists);
  }

  #find(name: string, signal: AbortSignal): Promise<Lease | undefined> {
    const { client, lease } = this.#options;
    return find(client.get<Lease>(leaseType, { namespace: lease.namespace, name }, { signal }));
  }

  #nameOf(member: string): string {
    return `${this.#options.lease.name}-${member}`.toLowerCase().replaceAll(/[^a-z0-9.-]/gu, '-');
  }
}

/** The map of the group, if the group holds its Lease. */
export const groupMapOf = (lease: Lease | undefined): ShardMap | undefined =>
  lease && memberOf(lease) === groupHolder ? readShardMap(lease) : undefined;

/** The result, or undefined after an expected error. */
async function unless<T>(request: Promise<T>, isExpected: (error: unknown) => boolean): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}
