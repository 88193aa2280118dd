import { annotation, type MirroredKind, type MirroredObject, sourceUidOf } from './kinds.ts';
import type { Side } from './side.ts';

/** The agent that a mirror belongs to: the name and the uid of its Agent resource. */
export interface Owner {
  readonly agent: string;
  /** Absent if the agent's certificate is older than the record of owners. */
  readonly uid?: string;
}

export function ownerOf({ metadata: { annotations = {} } }: MirroredObject): Owner | undefined {
  const agent = annotations[annotation.agent];
  const uid = annotations[annotation.agentUid];
  return agent ? { agent, ...(uid ? { uid } : {}) } : undefined;
}

/** The annotations with which a side marks the mirrors that it writes. */
export const ownerAnnotations = ({ agent, agentUid }: Side): Record<string, string> => ({
  [annotation.agent]: agent,
  ...(agentUid ? { [annotation.agentUid]: agentUid } : {}),
});

/**
 * Whose mirror an object is, for one side:
 * - `own`: this agent's;
 * - `leftover`: of an agent that no longer exists, so it may be replaced;
 * - `unrecorded`: a mirror of an earlier version, or an object that is not a mirror, where several agents have theirs;
 * - `foreign`: another agent's.
 */
export type Ownership = 'own' | 'leftover' | 'unrecorded' | 'foreign';

export function ownershipOf(side: Side, kind: MirroredKind, object: MirroredObject): Ownership {
  const shared = isShared(side, kind, object.metadata.namespace);
  const owner = ownerOf(object);
  if (!owner) return shared ? 'unrecorded' : 'own';
  const sameName = owner.agent === side.agent;
  if (side.role === 'agent') return sameName || !shared ? 'own' : 'foreign';
  if (sameName && (owner.uid === undefined || owner.uid === side.agentUid)) return 'own';
  return side.agentExists?.(owner) ? 'foreign' : 'leftover';
}

/** Whether an existing mirror is part of this link. A leftover is if its agent had this name: it is deleted unless the source has it. */
export function isOwnMirror(side: Side, kind: MirroredKind, mirror: MirroredObject): boolean {
  if (sourceUidOf(mirror) === undefined) return false;
  const ownership = ownershipOf(side, kind, mirror);
  return ownership === 'own' || (ownership === 'leftover' && ownerOf(mirror)?.agent === side.agent);
}

/**
 * Whether mirrors of several agents can be in a namespace: the projects of all autonomous agents are in one namespace of the hub, and two
 * agents on one cluster may both write to namespaces beside their own.
 */
const isShared = (side: Side, kind: MirroredKind, namespace: string | undefined): boolean =>
  side.role === 'principal' ? kind === 'AppProject' : namespace !== undefined && namespace !== side.namespace;

/** Why this side must not write to or replace the object under a name; undefined if it may. */
export function ownerProblem(
  side: Side,
  kind: MirroredKind,
  existing: MirroredObject,
  sourceUid: string,
): string | undefined {
  const { name } = existing.metadata;
  const shown = sourceUidOf(existing);
  switch (ownershipOf(side, kind, existing)) {
    case 'own':
    case 'leftover':
      return undefined;
    case 'foreign':
      return `${kind} ${name} belongs to agent ${ownerOf(existing)?.agent}: rename it on one of the two clusters`;
    case 'unrecorded':
      if (shown === sourceUid || (shown === undefined && side.role === 'agent')) return undefined;
      if (shown === undefined && existing.metadata.annotations?.[annotation.adoption] === 'always') return undefined;
      return shown === undefined
        ? `${kind} ${name} already exists and is not a mirror: rename one of the two, or annotate it with ${annotation.adoption}: always`
        : `${kind} ${name} is the mirror of another object, of an agent that is not recorded: delete it, and it is created again`;
  }
}
