import type { KubeObject } from '@fairlead/apimachinery';
import type { World } from '../../world.ts';
import { jobs, type SyncWorld } from './sync-world.ts';

/** Says how a job may end: `never`, or what is drawn. */
const outcomeAnnotation = 'example.com/outcome';
export const mayFail = { [outcomeAnnotation]: 'any' };

/** Longer than any request can be under way: so no request that was sent for a job that is over arrives after its end. */
const shortestMs = 25_000;

/**
 * Runs the jobs of a cluster: each ends after a time, well or not. While all is calm, none fails.
 */
export class JobRunner {
  calm = false;
  readonly #world: World;
  readonly #sync: SyncWorld;

  constructor(world: World, sync: SyncWorld) {
    this.#world = world;
    this.#sync = sync;
    sync.server.store.onEvent(({ type, object }) => {
      if (type === 'ADDED' && object.kind === 'Job') this.#begin(object);
    });
  }

  #begin({ metadata }: KubeObject): void {
    const { name, namespace = '', uid = '' } = metadata;
    const ms = this.#world.between(shortestMs, 60_000);
    const fails = metadata.annotations?.[outcomeAnnotation] === 'any' && !this.calm && this.#world.chance(0.3);
    this.#world.schedule(ms, `job ${name} ${fails ? 'fails' : 'ends well'}`, () => {
      const job = this.#sync.server.store.find(jobs, { namespace, name });
      if (job?.metadata.uid !== uid || job.metadata.deletionTimestamp) return;
      const condition = { type: fails ? 'Failed' : 'Complete', status: 'True', message: fails ? 'it broke' : 'done' };
      this.#sync.server.store.replace(jobs, { ...job, status: { conditions: [condition] } } as KubeObject);
    });
  }
}
