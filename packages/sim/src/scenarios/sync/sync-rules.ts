import type { KubeObject } from '@fairlead/apimachinery';
import { ownerOf } from '@fairlead/engine';
import type { Simulation } from '../../simulation.ts';
import type { SyncSimulation } from './sync-simulation.ts';

const runAnnotation = 'fairlead.dev/hook-run';
export const commitAnnotation = 'example.com/commit';

const isDone = (job: KubeObject, kind: string): boolean =>
  ((job as { status?: { conditions?: { type: string }[] } }).status?.conditions ?? []).some(
    ({ type }) => type === kind,
  );

/**
 * The invariants:
 *
 * - no hook runs twice for one attempt of an operation;
 * - nothing of a commit is applied before its PreSync hook has succeeded, and its PostSync hook is not run before;
 * - other objects are neither changed nor deleted, and only objects that belong to the Application at that time are deleted.
 */
export class SyncRules {
  /** Set while other actors write: the rules apply only to the controller. */
  othersAct = false;
  readonly #sim: Simulation;
  readonly #runs = new Set<string>();
  readonly #prepared = new Set<string>();
  readonly #finished = new Set<string>();

  constructor(sim: Simulation, sync: SyncSimulation) {
    this.#sim = sim;
    sync.server.store.onEvent(({ type, object, previous }) => {
      if (object.kind === 'Job') this.#job(type, object);
      if (object.kind === 'ConfigMap' && !this.othersAct) this.#configMap(type, object, previous);
    });
  }

  as(act: () => void): void {
    this.othersAct = true;
    act();
    this.othersAct = false;
  }

  /** Whether the hooks of a commit have succeeded. */
  hasRun(commit: string): boolean {
    return this.#prepared.has(commit) && this.#finished.has(commit);
  }

  #job(type: string, job: KubeObject): void {
    const { name, annotations = {} } = job.metadata;
    const commit = annotations[commitAnnotation] ?? '';
    if (type === 'ADDED') {
      const run = `${name} ${annotations[runAnnotation] ?? ''}`;
      this.#sim.check(!this.#runs.has(run), `hook ${name} was run twice for one try: ${annotations[runAnnotation]}`);
      this.#runs.add(run);
      if (name.startsWith('smoke')) {
        this.#sim.check(this.#prepared.has(commit), `${name} was run before the PreSync hook of its commit had ended`);
      }
    }
    if (type === 'DELETED' || !isDone(job, 'Complete')) return;
    (name.startsWith('migrate') ? this.#prepared : this.#finished).add(commit);
  }

  #configMap(type: string, object: KubeObject, previous: KubeObject | undefined): void {
    const { name } = object.metadata;
    const before = previous && ownerOf(previous);
    if (type === 'DELETED') {
      this.#sim.check(before === 'shop', `ConfigMap ${name} was deleted and is not the Application's`);
      return;
    }
    const desired = /^[a-d]$/u.test(name) && object.metadata.namespace === 'web';
    this.#sim.check(
      desired,
      `ConfigMap ${object.metadata.namespace}/${name} was changed and does not belong to the Application`,
    );
    const commit = (object as { data?: Record<string, string> }).data?.['commit'] ?? '';
    this.#sim.check(
      this.#prepared.has(commit),
      `${name} of commit ${commit} was applied before its PreSync hook had ended`,
    );
  }
}
