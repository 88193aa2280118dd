import type { Condition } from '@fairlead/apimachinery';
import { agentError, canonicalJson, isSetByHub } from './content.ts';
import { annotation, type MirroredObject } from './kinds.ts';
import { operationTaken } from './operation.ts';

type ApplicationCondition = Pick<Condition, 'type' | 'message' | 'lastTransitionTime'>;

const conditionsOf = (application: MirroredObject): readonly ApplicationCondition[] =>
  (application.status?.['conditions'] ?? []) as readonly ApplicationCondition[];

/** The hub's Application with the status of its mirror, which has the same uid; undefined if nothing changes. */
export function withStatusOf(hub: MirroredObject, mirror: MirroredObject): MirroredObject | undefined {
  const taken = operationTaken(hub, mirror);
  const status = overlaidStatus(hub, mirror);
  const refreshed =
    hub.metadata.annotations?.[annotation.refresh] !== undefined &&
    mirror.metadata.annotations?.[annotation.refresh] === undefined;
  const { operation: _, ...rest } = hub;
  const next: MirroredObject = {
    ...(taken ? rest : hub),
    metadata: refreshed ? withoutAnnotation(hub, annotation.refresh) : hub.metadata,
    ...(status ? { status } : {}),
  };
  return canonicalJson(next) === canonicalJson(hub) ? undefined : next;
}

/** The agent's status for the hub's Application, with the conditions and the operation state that only the hub knows. */
export function overlaidStatus(hub: MirroredObject, agents: MirroredObject): MirroredObject['status'] {
  const state = (application: MirroredObject) =>
    application.status?.['operationState'] as { phase?: string; startedAt?: string } | undefined;
  const [own, other] = [state(hub), state(agents)];
  // A user terminated the operation on the hub, and the agent does not know yet.
  const ending =
    hub.operation && own?.phase === 'Terminating' && !operationTaken(hub, agents) && other?.phase !== 'Terminating';
  const failed = isSetByHub(own) && (other?.startedAt ?? '') < (own?.startedAt ?? '');
  const reasons = conditionsOf(hub).filter(({ type }) => type === agentError);
  const conditions = [...conditionsOf(agents).filter(({ type }) => type !== agentError), ...reasons];
  const { conditions: _, ...rest } = agents.status ?? {};
  const status = {
    ...rest,
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(ending || failed ? { operationState: own } : {}),
  };
  return Object.keys(status).length > 0 ? status : undefined;
}

function withoutAnnotation(object: MirroredObject, name: string): MirroredObject['metadata'] {
  const { [name]: _, ...annotations } = object.metadata.annotations ?? {};
  return { ...object.metadata, annotations };
}

/** The hub's Application with the reason why its agent's cluster does not have it, or (undefined) without one. */
export const withAgentError = (
  hub: MirroredObject,
  agent: string,
  reason: string | undefined,
  now: string,
): MirroredObject | undefined => withReason(hub, reason === undefined ? undefined : `agent ${agent}: ${reason}`, now);

/** An autonomous agent's Application with the reason why the hub does not show it, or (undefined) without one. */
export const withHubError = (
  own: MirroredObject,
  reason: string | undefined,
  now: string,
): MirroredObject | undefined => withReason(own, reason === undefined ? undefined : `hub: ${reason}`, now);

function withReason(application: MirroredObject, message: string | undefined, now: string): MirroredObject | undefined {
  const others = conditionsOf(application).filter(({ type }) => type !== agentError);
  const known = conditionsOf(application).find(({ type }) => type === agentError);
  if (known?.message === message) return undefined;
  const conditions =
    message === undefined ? others : [...others, { type: agentError, message, lastTransitionTime: now }];
  const { conditions: _, ...status } = application.status ?? {};
  return { ...application, status: conditions.length > 0 ? { ...status, conditions } : status };
}

/** An operation that cannot be sent to the agent has failed, with a reason. */
export function withFailedOperation(
  hub: MirroredObject,
  agent: string,
  reason: string,
  now: string,
): MirroredObject | undefined {
  const { operation, ...rest } = hub;
  if (!operation) return undefined;
  const operationState = {
    operation,
    phase: 'Error',
    message: `agent ${agent}: ${reason}`,
    startedAt: now,
    finishedAt: now,
  };
  return { ...rest, status: { ...hub.status, operationState } };
}
