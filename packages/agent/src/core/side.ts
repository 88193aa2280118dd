import type { Mapping, MirroredKind, Mode, Role } from './kinds.ts';

/** One side of one link. */
export interface Side {
  readonly role: Role;
  readonly mode: Mode;
  readonly agent: string;
  /** The uid of the Agent resource. */
  readonly agentUid?: string;
  /** The namespace of this side's projects and repositories, and of an agent's Applications. */
  readonly namespace: string;
  /** Of the principal's side; `namespace` if absent. */
  readonly mapping?: Mapping;
  /** Patterns of other namespaces with Applications of a managed agent that is mapped by destination. */
  readonly namespaces?: readonly string[];
  /** Of the principal's side: whether a namespace of the hub belongs to an agent that is mapped by namespace. */
  readonly isTaken?: (namespace: string) => boolean;
  /** Of the principal's side: whether the hub has an Agent with this name and, if it is given, this uid. */
  readonly agentExists?: (agent: { readonly agent: string; readonly uid?: string }) => boolean;
}

export const isByDestination = ({ role, mode, mapping }: Side): boolean =>
  role === 'principal' && mode === 'managed' && mapping === 'destination';

/** On the hub an agent's Applications are in the namespace with the agent's name, unless the agent is mapped by destination. */
export const namespaceOf = (side: Side, kind: MirroredKind): string =>
  side.role === 'principal' && kind === 'Application' && !isByDestination(side) ? side.agent : side.namespace;
