import { fieldError } from '@fairlead/apimachinery';
import { type Findings, nonNegative } from './checks.ts';

export type Counts = Record<string, number | undefined>;

/** Counts in a status: none is negative, none exceeds the total, and available ones are ready. */
export function* replicaCounts(
  status: Counts,
  fields: readonly string[],
  ofReplicas: readonly string[],
  readyPhrase = 'readyReplicas',
): Findings {
  for (const field of fields) yield* nonNegative(status[field], `status.${field}`);
  const replicas = status['replicas'] ?? 0;
  for (const field of ofReplicas) {
    const count = status[field] ?? 0;
    if (count > replicas) {
      yield fieldError.invalid(`status.${field}`, count, 'cannot be greater than status.replicas');
    }
  }
  const available = status['availableReplicas'] ?? 0;
  if (available > (status['readyReplicas'] ?? 0)) {
    yield fieldError.invalid('status.availableReplicas', available, `cannot be greater than ${readyPhrase}`);
  }
}

/** The collision count never decreases. */
export function* neverCountedDown(status: Counts, old: Counts): Findings {
  const [now, before] = [status['collisionCount'] ?? undefined, old['collisionCount'] ?? undefined];
  if (before !== undefined && (now ?? 0) < before) {
    yield fieldError.invalid('status.collisionCount', now ?? 0, 'cannot be decremented');
  }
}
