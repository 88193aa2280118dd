import { isDeepStrictEqual } from 'node:util';
import type { Condition } from '@fairlead/apimachinery';
import { formatTime, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { type DesiredCondition, nextConditions } from '../conditions.ts';
import type { Context } from './context.ts';

interface WithConditions extends KubeObject {
  readonly status?: { readonly conditions?: readonly Partial<Condition>[] };
}

/** Writes the conditions of a resource that has no other status, if they changed. */
export async function writeConditions(
  { client, clock }: Pick<Context, 'client' | 'clock'>,
  type: ResourceType,
  object: WithConditions,
  desired: readonly DesiredCondition[],
  signal: AbortSignal,
): Promise<void> {
  const before = object.status?.conditions ?? [];
  const conditions = nextConditions(before, desired, formatTime(clock.now()));
  if (isDeepStrictEqual(before, conditions)) return;
  const { namespace = '', name, uid = '' } = object.metadata;
  const body = { metadata: { uid }, status: { conditions } };
  try {
    await client.patch(type, { namespace, name }, 'merge', body, { subresource: 'status', signal });
  } catch (error) {
    // The resource was deleted meanwhile.
    if (!isNotFound(error)) throw error;
  }
}
