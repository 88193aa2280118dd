import { type Condition, withTransitionTime } from '@fairlead/apimachinery';

/** The remaining content of a namespace after its deletion. */
export interface Remaining {
  /** By `plural.group`. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly errors: readonly string[];
}

type Words = Pick<Condition, 'status' | 'reason' | 'message'>;

const fine = (reason: string, message: string): Words => ({ status: 'False', reason, message });
const wrong = (reason: string, message: string): Words => ({ status: 'True', reason, message });

const counted = (counts: ReadonlyMap<string, number>, words: (name: string, count: number) => string): string =>
  [...counts]
    .map(([name, count]) => words(name, count))
    .sort()
    .join(', ');

function wordsOf({ kinds, finalizers, errors }: Remaining): Record<string, Words> {
  return {
    NamespaceDeletionDiscoveryFailure: fine('ResourcesDiscovered', 'All resources successfully discovered'),
    NamespaceDeletionGroupVersionParsingFailure: fine(
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    NamespaceDeletionContentFailure:
      errors.length === 0
        ? fine('ContentDeleted', 'All content successfully deleted, may be waiting on finalization')
        : wrong(
            'ContentDeletionFailed',
            `Failed to delete all resource types, ${errors.length} remaining: ${[...errors].sort().join(', ')}`,
          ),
    NamespaceContentRemaining:
      kinds.size === 0
        ? fine('ContentRemoved', 'All content successfully removed')
        : wrong(
            'SomeResourcesRemain',
            `Some resources are remaining: ${counted(kinds, (name, count) => `${name} has ${count} resource instances`)}`,
          ),
    NamespaceFinalizersRemaining:
      finalizers.size === 0
        ? fine('ContentHasNoFinalizers', 'All content-preserving finalizers finished')
        : wrong(
            'SomeFinalizersRemain',
            `Some content in the namespace has finalizers remaining: ${counted(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
          ),
  };
}

/** The conditions of a terminating namespace; undefined if they are up to date. */
export function deletionConditions(
  before: readonly Condition[],
  remaining: Remaining,
  now: string,
): Condition[] | undefined {
  let changed = false;
  const conditions = [...before];
  for (const [type, words] of Object.entries(wordsOf(remaining))) {
    const at = conditions.findIndex((condition) => condition.type === type);
    const old = conditions[at];
    if (old?.status === words.status && old.reason === words.reason && old.message === words.message) continue;
    changed = true;
    const condition = withTransitionTime({ type, ...words }, before, now);
    if (at < 0) conditions.push(condition);
    else conditions[at] = condition;
  }
  return changed ? conditions : undefined;
}
