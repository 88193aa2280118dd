import { type Pod, podCondition } from '../objects.ts';
import type { Service } from './service.ts';

/** The time of the change that a write of endpoints results from: for the last-change-trigger-time annotation. */
export class TriggerTimes {
  readonly #known = new Map<string, Map<string, string>>();

  /** The earliest change since the last call; undefined if nothing with a time has changed. */
  next(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const before = this.#known.get(key);
    const now = new Map<string, string>();
    let earliest: string | undefined;
    for (const pod of pods) {
      const time = podCondition(pod, 'Ready')?.lastTransitionTime;
      if (!time) continue;
      now.set(pod.metadata.name, time);
      if (time > (before?.get(pod.metadata.name) ?? '') && (!earliest || time < earliest)) earliest = time;
    }
    this.#known.set(key, now);
    return before ? earliest : service.metadata.creationTimestamp;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
