import { kindInfo, type MirroredObject, sourceUidOf } from '@fairlead/agent';
import { at, objectAt, uidOf } from '@fairlead/apimachinery';
import type { SimStore } from '../../sim-store.ts';
import type { Simulation } from '../../simulation.ts';

const { type } = kindInfo.Application;
export const cascade = 'resources-finalizer.argocd.argoproj.io';

export interface WorkloadWatch {
  /** The workloads of an Application are deleted by a cascade. */
  workloadsDeleted(application: MirroredObject, source: string): void;
  operationRan(source: string, operation: Record<string, unknown>): void;
}

/** Simulates the visible effects of an application controller on the cluster of an agent: status, operations, cascades. */
export class SimAppController {
  readonly #sim: Simulation;
  readonly #store: SimStore;
  readonly #watch: WorkloadWatch;
  readonly #due = new Set<string>();
  /** The source uid of an Application, also if the annotation was removed. */
  readonly #sources = new Map<string, string>();

  constructor(sim: Simulation, store: SimStore, watch: WorkloadWatch) {
    this.#sim = sim;
    this.#store = store;
    this.#watch = watch;
    store.onEvent(({ resource, object, type: change }) => {
      if (resource !== 'applications.argoproj.io' || change === 'DELETED') return;
      this.#sourceOf(object as MirroredObject);
      this.#schedule(object as MirroredObject);
    });
  }

  #schedule({ metadata: { namespace = '', name } }: MirroredObject): void {
    const key = `${namespace}/${name}`;
    if (this.#due.has(key)) return;
    this.#due.add(key);
    this.#sim.clock.after(this.#sim.between(20, 900), () => {
      this.#due.delete(key);
      const application = this.#store.find<MirroredObject>(type, { namespace, name });
      if (application) this.#reconcile(application);
    });
  }

  #sourceOf(application: MirroredObject): string {
    const own = uidOf(application);
    const marked = sourceUidOf(application);
    if (marked !== undefined) this.#sources.set(own, marked);
    return this.#sources.get(own) ?? own;
  }

  #reconcile(application: MirroredObject): void {
    const source = this.#sourceOf(application);
    const { deletionTimestamp, finalizers = [] } = application.metadata;
    if (deletionTimestamp) {
      if (!finalizers.includes(cascade)) return;
      this.#watch.workloadsDeleted(application, source);
      const left = finalizers.filter((finalizer) => finalizer !== cascade);
      this.#write({ ...application, metadata: { ...application.metadata, finalizers: left } });
      return;
    }
    const state = objectAt(application.status, 'operationState');
    const { operation } = application;
    if (operation && !(state?.phase === 'Running' && same(state.operation, operation))) {
      if (state?.phase === 'Terminating') return this.#end(application, 'Failed');
      this.#watch.operationRan(source, operation);
      return this.#write({
        ...application,
        status: { ...application.status, operationState: { phase: 'Running', operation, startedAt: this.#now() } },
      });
    }
    if (operation) return this.#end(application, 'Succeeded');
    const { 'argocd.argoproj.io/refresh': refresh, ...annotations } = application.metadata.annotations ?? {};
    const observed = { uid: source, revision: revisionOf(application) };
    if (!refresh && same(application.status?.['observed'], observed)) return;
    this.#write({
      ...application,
      metadata: { ...application.metadata, annotations },
      status: { ...application.status, observed, sync: { status: 'Synced' } },
    });
  }

  #end(application: MirroredObject, phase: string): void {
    const { operation, ...rest } = application;
    this.#write({
      ...rest,
      status: {
        ...application.status,
        operationState: { ...objectAt(application.status, 'operationState'), phase, operation },
      },
    });
  }

  #now(): string {
    return new Date(this.#sim.clock.now()).toISOString();
  }

  #write(application: MirroredObject): void {
    this.#sim.trace(`the controller writes ${application.metadata.name}`);
    this.#store.replace(type, application);
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const revisionOf = (application: MirroredObject): unknown => at(application.spec, 'source', 'targetRevision');
