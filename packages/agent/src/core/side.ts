import type { Mapping, MirroredKind, Mode, Role } from './kinds.ts';

/** One side of one link. */
export interface Side {
  readonly role: Role;
  readonly mode: Mode;
  readonly agent: string;
  /** Where this side keeps projects and repositories, and an agent its Applications. */
  readonly namespace: string;
  /** Of the principal's side; by namespace when absent. */
  readonly mapping?: Mapping;
  /** Patterns of further namespaces in which a managed agent's Applications may be, where it is their destination that names it. */
  readonly namespaces?: readonly string[];
  /** Of the principal's side: whether a namespace of the hub is that of an agent, whose Applications are in it whatever they name. */
  readonly isTaken?: (namespace: string) => boolean;
}

export const isByDestination = ({ role, mode, mapping }: Side): boolean =>
  role === 'principal' && mode === 'managed' && mapping === 'destination';

/** On the hub an agent's Applications have a namespace of their own, of the agent's name, unless it is their destination that names it. */
export const namespaceOf = (side: Side, kind: MirroredKind): string =>
  side.role === 'principal' && kind === 'Application' && !isByDestination(side) ? side.agent : side.namespace;
