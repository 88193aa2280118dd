import type { Application } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import type { ReconcileEnv } from '../reconcile-env.ts';

const secondMs = 1000;

/**
 * Start times of operations, in whole seconds. The start time identifies an operation and is part of its hooks: it must be unique per
 * Application. The previous operation in the status is not enough, since the client that requests a new one may have removed it.
 */
export class OperationStartTimes {
  readonly #last = new WeakMap<object, Map<string, number>>();

  next({ applications, clock }: Pick<ReconcileEnv, 'applications' | 'clock'>, application: Application): number {
    const last = this.#last.get(applications) ?? new Map<string, number>();
    this.#last.set(applications, last);
    const key = keyOf(application);
    const { operationState, history = [] } = application.status ?? {};
    const before = [
      ...[operationState?.startedAt, history.at(-1)?.deployStartedAt].flatMap((at) => (at ? [Date.parse(at)] : [])),
      ...[last.get(key)].flatMap((at) => at ?? []),
    ];
    const now = clock.now();
    const begins = Math.floor(Math.max(now, ...before.map((at) => at + secondMs)) / secondMs) * secondMs;
    last.delete(key);
    last.set(key, begins);
    // Past start times cannot occur again.
    for (const [name, at] of last) {
      if (at > now - secondMs) break;
      last.delete(name);
    }
    return begins;
  }
}
