import type { Application } from '@fairlead/api';
import { equalJson, type Json } from '@fairlead/apimachinery';
import type { Simulation } from '../../simulation.ts';
import type { SyncSimulation } from './sync-simulation.ts';

/**
 * Each hook runs for each operation: a succeeded operation has created every hook of its commit since it was requested, regardless of
 * earlier operations in the status. That no hook is created twice per attempt is another invariant.
 */
export class HookCounts {
  readonly #sim: Simulation;
  readonly #sync: SyncSimulation;
  readonly #hooks: readonly string[];
  /** How often each was created since the current operation was requested. */
  #made = new Map<string, number>();
  /** Succeeded operations, of those with hooks. */
  ended = 0;

  constructor(sim: Simulation, sync: SyncSimulation, hooks: readonly string[]) {
    this.#sim = sim;
    this.#sync = sync;
    this.#hooks = hooks;
    sync.server.store.onEvent(({ type, object, previous }) => {
      const hook = this.#hooks.find((name) => object.metadata.name.startsWith(name));
      if (hook && type === 'ADDED') this.#made.set(hook, (this.#made.get(hook) ?? 0) + 1);
      if (object.kind === 'Application') this.#application(previous as Application | undefined, object as Application);
    });
  }

  #application(before: Application | undefined, after: Application): void {
    const isNew = after.operation !== undefined && !equalJson(asJson(before?.operation), asJson(after.operation));
    if (isNew) this.#made = new Map();
    const { phase, operation } = after.status?.operationState ?? {};
    const over = before?.operation !== undefined && after.operation === undefined && phase === 'Succeeded';
    if (!over || !operation?.sync || operation.sync.resources?.length || operation.sync.dryRun) return;
    this.ended += 1;
    const idle = this.#hooks.filter((name) => !this.#made.has(name));
    this.#sim.check(
      idle.length === 0,
      `${idle.join(' and ')} did not run for an operation that succeeded: ${JSON.stringify(operation.info)}`,
    );
  }

  /** Requests a sync as the CLI does: not while another runs, and with the state of the last one removed. */
  ask(id: string): boolean {
    const { application } = this.#sync;
    if (!application || application.operation || application.metadata.deletionTimestamp) return false;
    const { operationState: _, ...status } = application.status ?? {};
    const info = [{ name: 'fairlead.dev/operation', value: id }];
    this.#sync.changeApplication((app) => ({
      ...app,
      operation: { sync: { prune: true }, info, initiatedBy: { username: 'ada' } },
      status,
    }));
    return true;
  }
}

const asJson = (value: unknown): Json => (value ?? null) as Json;
