import type { ServedKind } from '../parts.ts';

/** Events have no owners and no finalizers, and are very frequent. */
const isEvent = ({ plural, group }: ServedKind): boolean =>
  plural === 'events' && (group === '' || group === 'events.k8s.io');

export const kindId = ({ group, plural }: Pick<ServedKind, 'group' | 'plural'>): string => `${group}/${plural}`;

/** Each kind once, in one of its versions: those that can be listed, watched and deleted. */
export function ownableKinds(served: readonly ServedKind[]): Map<string, ServedKind> {
  const kinds = new Map<string, ServedKind>();
  for (const kind of served) {
    const usable = ['list', 'watch', 'delete'].every((verb) => kind.verbs.includes(verb));
    if (usable && !isEvent(kind) && !kinds.has(kindId(kind))) kinds.set(kindId(kind), kind);
  }
  return kinds;
}
