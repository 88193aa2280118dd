import { kindInfo, type MirroredObject, sourceUidOf } from '@fairlead/agent';
import { uidOf } from '@fairlead/apimachinery';
import type { Simulation } from '../../simulation.ts';
import { type Fleet, hubNamespace } from './fleet.ts';
import { ownerOf } from './rules.ts';

const types = [kindInfo.Application.type, kindInfo.AppProject.type];

/** All objects of the hub and of all clusters: a lying agent may know every name and uid. */
export const everyObject = (fleet: Fleet): MirroredObject[] =>
  [fleet.hub, ...fleet.clusters.values()].flatMap(({ store }) =>
    types.flatMap((type) => store.list<MirroredObject>(type)),
  );

/**
 * Invariants of a hub with several agents, of which one lies: a mirror belongs to one agent and mirrors an object of that agent's cluster;
 * objects of the lying agent are in its namespace or have its prefix; objects of the hub that are not mirrors do not change.
 */
export function watchOwnership(sim: Simulation, fleet: Fleet, liar: string, hubOwn: ReadonlyMap<string, string>): void {
  const known = new Map<string, Set<string>>();
  for (const [agent, { store }] of fleet.clusters) {
    const uids = new Set<string>();
    known.set(agent, uids);
    store.onEvent(({ object }) => void uids.add(uidOf(object)));
  }
  fleet.hub.store.onEvent(({ resource, type, object }) => {
    if (!/^(applications|appprojects)\./u.test(resource)) return;
    const { name, namespace = '' } = object.metadata;
    const own = namespace === hubNamespace ? hubOwn.get(name) : undefined;
    if (own !== undefined) {
      const isSame = type !== 'DELETED' && JSON.stringify((object as MirroredObject).spec) === own;
      return sim.check(isSame, `the hub's own project ${name} was changed or deleted`);
    }
    const mirrored = sourceUidOf(object);
    if (mirrored === undefined) return;
    const owner = ownerOf(object as MirroredObject);
    sim.check(owner !== undefined && fleet.modes.has(owner), `the mirror ${namespace}/${name} has no owner`);
    if (owner === undefined) return;
    const isInPlace = resource.startsWith('applications') ? namespace === owner : name.startsWith(`${owner}-`);
    sim.check(isInPlace, `the mirror ${namespace}/${name} of ${owner} is not where its mirrors are`);
    sim.check(
      owner === liar || known.get(owner)?.has(mirrored) === true,
      `the mirror ${namespace}/${name} of ${owner} shows ${mirrored}, which its cluster never had`,
    );
  });
}
