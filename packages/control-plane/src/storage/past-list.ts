import { compareKeys } from '@fairlead/apimachinery';
import type { StorageEvent, Stored } from './storage.ts';

/** A list before the given events (oldest first): each is undone, newest first. */
export function listBefore(
  current: readonly Stored[],
  events: readonly StorageEvent[],
  namespace?: string,
): readonly Stored[] {
  const undone = new Map<string, Stored | undefined>();
  for (let i = events.length - 1; i >= 0; i--) {
    const { stored, previous } = events[i]!;
    if (namespace === undefined || stored.namespace === namespace) {
      undone.set(`${stored.namespace}/${stored.name}`, previous);
    }
  }
  if (undone.size === 0) return current;
  const kept = current.filter((stored) => !undone.has(`${stored.namespace}/${stored.name}`));
  for (const stored of undone.values()) if (stored) kept.push(stored);
  return kept.sort(compareKeys);
}
