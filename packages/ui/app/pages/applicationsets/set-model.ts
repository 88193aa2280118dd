import { objectsAt, textAt } from '@fairlead/apimachinery/json-at';

export interface SetApplication {
  readonly namespace: string;
  readonly name: string;
  readonly health: string;
  readonly sync: string;
}

export const setKey = (set: unknown): string =>
  `${textAt(set, 'metadata', 'namespace')}/${textAt(set, 'metadata', 'name')}`;

/** The names of the generators. */
export const generatorsOf = (set: unknown): readonly string[] =>
  objectsAt(set, 'spec', 'generators').flatMap((generator) =>
    Object.keys(generator).filter((key) => key !== 'selector'),
  );

/** The Applications that it has created. */
export const applicationsOf = (set: unknown): readonly SetApplication[] =>
  objectsAt(set, 'status', 'resources').map((resource) => ({
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
    health: textAt(resource, 'health', 'status') || 'Unknown',
    sync: textAt(resource, 'status') || 'Unknown',
  }));

/** Why it does not work; undefined if it does. */
export function problemOf(set: unknown): string | undefined {
  const failed = objectsAt(set, 'status', 'conditions').find(
    (one) => textAt(one, 'type') === 'ErrorOccurred' && textAt(one, 'status') === 'True',
  );
  return failed && textAt(failed, 'message');
}

export type Change = 'create' | 'keep' | 'delete';

/** What a set would do to the Applications that it has: those that it generates, and those that it no longer does. */
export function plannedChanges(
  generated: readonly string[],
  existing: readonly string[],
): readonly { readonly name: string; readonly change: Change }[] {
  return [
    ...generated.map((name) => ({ name, change: existing.includes(name) ? ('keep' as const) : ('create' as const) })),
    ...existing.filter((name) => !generated.includes(name)).map((name) => ({ name, change: 'delete' as const })),
  ];
}
