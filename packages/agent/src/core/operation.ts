import { annotation, type MirroredObject } from './kinds.ts';

/**
 * An operation is set on the hub's copy of an Application and runs where the agent is. It has an id from the moment that it is first
 * seen, stored beside it: by that both sides know whether it was handed over, taken, or has ended.
 */
export interface PendingOperation {
  readonly id: string;
  readonly operation: Record<string, unknown>;
  readonly terminate: boolean;
}

const infoName = 'fairlead.dev/operation-id';

type Info = readonly { readonly name: string; readonly value: string }[];

/** The id that an operation carries; undefined when it has yet to be given one. It is part of the operation, so that whoever rewrites the object around it keeps it. */
export const idOf = (operation: unknown): string | undefined =>
  ((operation as { info?: Info } | undefined)?.info ?? []).find(({ name }) => name === infoName)?.value;

export function withId(operation: Record<string, unknown>, id: string): Record<string, unknown> {
  const info = ((operation['info'] ?? []) as Info).filter(({ name }) => name !== infoName);
  return { ...operation, info: [...info, { name: infoName, value: id }] };
}

const stateOf = (application: MirroredObject) =>
  application.status?.['operationState'] as { phase?: string; operation?: unknown; startedAt?: string } | undefined;

/** Whether an Application of an agent has, or had, this operation. */
export const hasTaken = (own: MirroredObject, id: string): boolean =>
  own.metadata.annotations?.[annotation.operation] === id ||
  idOf(own.operation) === id ||
  idOf(stateOf(own)?.operation) === id;

/** What is to be told to the agent of an Application on the hub; `unnamed` when the operation must be given an id first. */
export function pendingOperation(application: MirroredObject): PendingOperation | 'unnamed' | undefined {
  const { operation } = application;
  if (!operation) return undefined;
  const id = idOf(operation);
  return id === undefined ? 'unnamed' : { id, operation, terminate: stateOf(application)?.phase === 'Terminating' };
}

/** Whether the other copy has taken the hub's operation and has none under way any more. */
export const operationTaken = (hub: MirroredObject, other: MirroredObject): boolean => {
  const id = idOf(hub.operation);
  return id !== undefined && other.operation === undefined && hasTaken(other, id);
};

export type TakeOperation =
  | { readonly do: 'write'; readonly object: MirroredObject }
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly reason: string };

/**
 * What the agent does with an operation. The id is written with it, in one write: an operation that comes again is known by it, also
 * after a restart.
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
  if (own.operation) return { do: 'wait', reason: 'another operation is under way' };
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
    if (own.operation) return { do: 'wait', reason: 'another operation is under way' };
    const ended = {
      operation,
      phase: 'Failed',
      message: 'Operation terminated before it began',
      startedAt: now,
      finishedAt: now,
    };
    return { do: 'write', object: { ...marked(own, id), status: { ...own.status, operationState: ended } } };
  }
  if (!own.operation || state?.phase === 'Terminating') return { do: 'nothing' };
  // Not begun yet: whoever runs operations sees both at once.
  const terminating = {
    ...(state?.phase === 'Running' ? state : { operation, startedAt: now }),
    phase: 'Terminating',
  };
  return { do: 'write', object: { ...own, status: { ...own.status, operationState: terminating } } };
}

/** It was begun before, and there is no trace of it: it must not run twice, so it has failed. */
export function loseOperation(own: MirroredObject, { id, operation }: PendingOperation, now: string): TakeOperation {
  const message =
    'nobody knows how it ended: its Application was recreated on the cluster of its agent, or the agent crashed, as it began';
  const ended = { operation, phase: 'Error', message, startedAt: now, finishedAt: now };
  return { do: 'write', object: { ...marked(own, id), status: { ...own.status, operationState: ended } } };
}

const marked = (own: MirroredObject, id: string): MirroredObject => ({
  ...own,
  metadata: { ...own.metadata, annotations: { ...own.metadata.annotations, [annotation.operation]: id } },
});
