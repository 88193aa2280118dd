import { isJsonObject, type Json, toJson } from '@fairlead/apimachinery';
import type { Lease } from '../leader-election/lease.ts';
import { rendezvous } from './rendezvous.ts';

/** The members of a group at one epoch. It is stored in the Lease of the group, so every change is a compare-and-swap. */
export interface ShardMap {
  /** Increases with every change. */
  readonly epoch: number;
  /** In the order in which they joined: the index is the number of the shard. */
  readonly members: readonly string[];
  /** Groups of keys that belong to the shard of that number, such as the Applications of a cluster. */
  readonly pins: Readonly<Record<string, number>>;
}

/** The owner of a key: the pinned shard of its group, or the choice of rendezvous hashing. */
export function ownerOf({ members, pins }: ShardMap, key: string, group?: string): string | undefined {
  const pin = group === undefined ? undefined : pins[group];
  return pin === undefined ? rendezvous(key, members) : members[pin % members.length];
}

export const mapAnnotation = 'fairlead.dev/shard-map';

/** Undefined if the Lease has no valid map: a process that works alone holds it, or nobody has yet. */
export function readShardMap({ metadata }: Lease): ShardMap | undefined {
  const map = parsed(metadata.annotations?.[mapAnnotation]);
  if (!isJsonObject(map)) return undefined;
  const { epoch, members, pins = {} } = map;
  if (typeof epoch !== 'number' || !Array.isArray(members) || !isJsonObject(pins)) return undefined;
  return {
    epoch,
    members: members.filter((member) => typeof member === 'string'),
    pins: Object.fromEntries(
      Object.entries(pins).flatMap(([group, shard]) => (typeof shard === 'number' ? [[group, shard]] : [])),
    ),
  };
}

function parsed(text = 'null'): Json {
  try {
    return toJson(JSON.parse(text));
  } catch {
    // Edited by hand: the group starts again with a new map.
    return null;
  }
}

export const withShardMap = (lease: Lease, map: ShardMap): Lease => ({
  ...lease,
  metadata: {
    ...lease.metadata,
    annotations: { ...lease.metadata.annotations, [mapAnnotation]: JSON.stringify(map) },
  },
});

export const samePins = (a: ShardMap['pins'], b: ShardMap['pins']): boolean => sorted(a) === sorted(b);

const sorted = (pins: ShardMap['pins']): string =>
  JSON.stringify(Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1)));
