import { messageOf } from '@fairlead/apimachinery';
import { pathOf } from '../wire/live-path.ts';
import type { ResourceRequest } from '../wire/live-request.ts';

/** The requests that live access through the agent permits. */
export interface LivePolicy {
  readonly verbs: readonly string[];
  /** Resources that are never shown. */
  readonly hidden: readonly string[];
}

/** Read only, and without Secrets. */
export const readOnly: LivePolicy = { verbs: ['GET'], hidden: ['secrets'] };

export type Reader = (path: string) => Promise<{ readonly status: number; readonly text: string }>;

/** Answers a request for live access, if the policy allows it. */
export async function answerLiveRequest(
  request: ResourceRequest,
  policy: LivePolicy,
  read: Reader,
): Promise<{ status: number; body: string }> {
  const method = request.method.toUpperCase();
  if (!policy.verbs.includes(method)) return { status: 403, body: `the policy of this agent does not allow ${method}` };
  if (policy.hidden.includes(request.resource))
    return { status: 403, body: `the policy of this agent does not allow reading ${request.resource}` };
  if (request.params?.['watch'] === 'true')
    return { status: 400, body: 'live access through the agent does not support watch' };
  try {
    const { status, text } = await read(pathOf(request));
    return { status, body: text };
  } catch (error) {
    return { status: 502, body: messageOf(error) };
  }
}
