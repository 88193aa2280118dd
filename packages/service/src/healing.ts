import { type Clock, type Logger, type Random, sleep } from '@fairlead/kube';
import type { ServiceSettings } from './settings.ts';

/** A part that compares everything that it is responsible for, and corrects the differences. */
export interface Healer {
  heal(signal: AbortSignal): Promise<void>;
}

/** Runs periodically until the signal aborts. For changes that no event reported; nothing else depends on it. */
export async function healing(
  {
    clock,
    random,
    log,
    settings,
  }: { readonly clock: Clock; readonly random: Random; readonly log: Logger; readonly settings: ServiceSettings },
  healer: Healer,
  signal: AbortSignal,
): Promise<void> {
  while (settings.selfHealing && !signal.aborted) {
    await sleep(clock, settings.healMs * (0.9 + random() / 5), signal).catch(() => {});
    if (signal.aborted) return;
    try {
      await healer.heal(signal);
    } catch (error) {
      if (!signal.aborted) log.warn('self-healing was interrupted', { error });
    }
  }
}
