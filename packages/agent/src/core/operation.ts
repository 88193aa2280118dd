import { listAt, textAt } from '@fairlead/apimachinery';
import { canonicalJson } from './content.ts';
import { annotation, type MirroredObject } from './kinds.ts';

/**
 * An operation is set on the hub's copy of an Application and runs at the agent. It gets an id when it is first observed, which is stored
 * in it. By the id both sides know whether the operation was sent, accepted or completed.
 */
export interface PendingOperation {
  readonly id: string;
  readonly operation: Record<string, unknown>;
  readonly terminate: boolean;
}

const infoName = 'fairlead.dev/operation-id';

/** The id of an operation; undefined before it has one. It is part of the operation, so that a client that rewrites the object keeps it. */
export const idOf = (operation: unknown): string | undefined =>
  textAt(
    listAt(operation, 'info').find((entry) => textAt(entry, 'name') === infoName),
    'value',
  ) || undefined;

export function withId(operation: Record<string, unknown>, id: string): Record<string, unknown> {
  const info = listAt(operation, 'info').filter((entry) => textAt(entry, 'name') !== infoName);
  return { ...operation, info: [...info, { name: infoName, value: id }] };
}

const stateOf = (application: MirroredObject) =>
  application.status?.['operationState'] as { phase?: string; operation?: unknown; startedAt?: string } | undefined;

/** Whether the agent's Application has, or had, this operation. */
export const hasTaken = (own: MirroredObject, id: string): boolean =>
  own.metadata.annotations?.[annotation.operation] === id ||
  idOf(own.operation) === id ||
  idOf(stateOf(own)?.operation) === id;

/** The operation of the hub's Application that the agent must get; `unnamed` if it needs an id first. */
export function pendingOperation(application: MirroredObject): PendingOperation | 'unnamed' | undefined {
  const { operation } = application;
  if (!operation) return undefined;
  const id = idOf(operation);
  return id === undefined ? 'unnamed' : { id, operation, terminate: stateOf(application)?.phase === 'Terminating' };
}

/** What the hub asks of the agent, without the id that it gives the operation: equal for one operation. */
export const askedOperation = (application: MirroredObject): string =>
  canonicalJson({
    operation: withId(application.operation ?? {}, ''),
    terminate: stateOf(application)?.phase === 'Terminating',
  });

/** Whether the agent's copy has accepted the hub's operation, and it has completed. */
export const operationTaken = (hub: MirroredObject, other: MirroredObject): boolean => {
  const id = idOf(hub.operation);
  return id !== undefined && other.operation === undefined && hasTaken(other, id);
};

export type TakeOperation =
  | { readonly do: 'write'; readonly object: MirroredObject }
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly reason: string };

/**
 * The action of the agent for an operation. The id is stored in the same write, so that a duplicate is recognized, even after a restart.
 */
export function takeOperation(
  own: MirroredObject,
  { id, operation, terminate }: PendingOperation,
  now: string,
): TakeOperation {
  const taken = hasTaken(own, id);
  if (terminate) return takeTermination(own, id, operation, taken, now);
  if (taken) return { do: 'nothing' };
  if (own.metadata.deletionTimestamp) return { do: 'wait', reason: 'it is being deleted' };
  if (own.operation) return { do: 'wait', reason: 'another operation is in progress' };
  return { do: 'write', object: { ...marked(own, id), operation } };
}

function takeTermination(
  own: MirroredObject,
  id: string,
  operation: Record<string, unknown>,
  taken: boolean,
  now: string,
): TakeOperation {
  const state = stateOf(own);
  if (!taken) {
    if (own.operation) return { do: 'wait', reason: 'another operation is in progress' };
    const ended = {
      operation,
      phase: 'Failed',
      message: 'Operation terminated before it started',
      startedAt: now,
      finishedAt: now,
    };
    return { do: 'write', object: { ...marked(own, id), status: { ...own.status, operationState: ended } } };
  }
  if (!own.operation || state?.phase === 'Terminating') return { do: 'nothing' };
  // Not started yet: the controller observes the operation and its termination together.
  const terminating = {
    ...(state?.phase === 'Running' ? state : { operation, startedAt: now }),
    phase: 'Terminating',
  };
  return { do: 'write', object: { ...own, status: { ...own.status, operationState: terminating } } };
}

/** The operation was started before and left no trace. It must not run twice, so it has failed. */
export function loseOperation(own: MirroredObject, { id, operation }: PendingOperation, now: string): TakeOperation {
  const message =
    'the result of the operation is unknown: its Application was recreated on the cluster of the agent, or the agent crashed, when the operation started';
  const ended = { operation, phase: 'Error', message, startedAt: now, finishedAt: now };
  return { do: 'write', object: { ...marked(own, id), status: { ...own.status, operationState: ended } } };
}

const marked = (own: MirroredObject, id: string): MirroredObject => ({
  ...own,
  metadata: { ...own.metadata, annotations: { ...own.metadata.annotations, [annotation.operation]: id } },
});
