import type { ApplicationSummary, healthStatuses, operationPhases, syncStatuses } from '../api/application-shapes.ts';
import type { SortKey } from '../api/endpoints.ts';

/** A position in an order: the key, then the name and the namespace, so that no two Applications have the same. */
export type SortPosition = readonly [key: string, name: string, namespace: string];

const ranks = (order: readonly string[]): ReadonlyMap<string, string> =>
  new Map(order.map((value, rank) => [value, String(rank)]));

/** The worst first; as `isWorse` of the engine says. */
const health = ranks([
  'Unknown',
  'Degraded',
  'Missing',
  'Progressing',
  'Suspended',
  'Healthy',
] satisfies (typeof healthStatuses)[number][]);
const sync = ranks(['Unknown', 'OutOfSync', 'Synced'] satisfies (typeof syncStatuses)[number][]);
const operation = ranks([
  'Running',
  'Terminating',
  'Error',
  'Failed',
  'Succeeded',
  'None',
] satisfies (typeof operationPhases)[number][]);

const keys: Readonly<Record<SortKey, (summary: ApplicationSummary) => string>> = {
  name: () => '',
  project: ({ project }) => project,
  cluster: ({ cluster }) => cluster,
  sync: (summary) => sync.get(summary.sync) ?? '',
  health: (summary) => health.get(summary.health) ?? '',
  operation: (summary) => operation.get(summary.operation?.phase ?? 'None') ?? '',
  createdAt: ({ createdAt }) => createdAt,
  reconciledAt: ({ reconciledAt = '' }) => reconciledAt,
};

export const positionOf = (key: SortKey, summary: ApplicationSummary): SortPosition => [
  keys[key](summary),
  summary.name,
  summary.namespace,
];

export function compareSortPositions(a: SortPosition, b: SortPosition): number {
  const [[key, name, namespace], [otherKey, otherName, otherNamespace]] = [a, b];
  if (key !== otherKey) return key < otherKey ? -1 : 1;
  if (name !== otherName) return name < otherName ? -1 : 1;
  return namespace === otherNamespace ? 0 : namespace < otherNamespace ? -1 : 1;
}

interface Sortable {
  readonly record: { readonly summary: ApplicationSummary };
}

/** All Applications in one order. It is made when it is first asked for, and then kept with each change. */
export class SortedOrder<E extends Sortable> {
  readonly #key: SortKey;
  readonly #members: E[];

  constructor(key: SortKey, members: Iterable<E>) {
    this.#key = key;
    this.#members = this.sorted(members);
  }

  sorted(members: Iterable<E>): E[] {
    return Array.from(members, (member) => ({ member, position: this.#positionOf(member) }))
      .sort((a, b) => compareSortPositions(a.position, b.position))
      .map(({ member }) => member);
  }

  /** Whether the change of an Application leaves its position as it is. */
  isSame(before: ApplicationSummary, after: ApplicationSummary): boolean {
    return keys[this.#key](before) === keys[this.#key](after);
  }

  add(member: E): void {
    this.#members.splice(this.#firstFrom(this.#members, this.#positionOf(member)), 0, member);
  }

  /** Before the member changes. */
  remove(member: E): void {
    this.#members.splice(this.#firstFrom(this.#members, this.#positionOf(member)), 1);
  }

  /** All of them, or those that were sorted, after a position; backwards before it. */
  *after(position: SortPosition | undefined, isReversed: boolean, members: readonly E[] = this.#members): Iterable<E> {
    const at = position === undefined ? 0 : this.#firstFrom(members, position);
    const step = isReversed ? -1 : 1;
    for (let i = isReversed ? (position ? at : members.length) - 1 : at; ; i += step) {
      const member = members[i];
      if (!member) return;
      // Forwards, the position itself may still be taken.
      if (i !== at || !position || compareSortPositions(this.#positionOf(member), position) !== 0) yield member;
    }
  }

  #positionOf({ record }: E): SortPosition {
    return positionOf(this.#key, record.summary);
  }

  /** The index of the first member at this position or after it. */
  #firstFrom(members: readonly E[], position: SortPosition): number {
    let [low, high] = [0, members.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const member = members[middle];
      if (member && compareSortPositions(this.#positionOf(member), position) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
