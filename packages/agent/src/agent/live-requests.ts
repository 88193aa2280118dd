import { pathOf } from '../wire/live-path.ts';
import type { ResourceRequest } from '../wire/live-request.ts';

/** What may be looked at through the agent. */
export interface LivePolicy {
  readonly verbs: readonly string[];
  /** Resources that are shown to nobody. */
  readonly hidden: readonly string[];
}

/** Looking is allowed, changing is not; and what is secret stays in its cluster. */
export const readOnly: LivePolicy = { verbs: ['GET'], hidden: ['secrets'] };

export type Reader = (path: string) => Promise<{ readonly status: number; readonly text: string }>;

/** AcknowledgementBatch a look at this cluster, if the policy allows it. */
export async function answerLiveRequest(
  request: ResourceRequest,
  policy: LivePolicy,
  read: Reader,
): Promise<{ status: number; body: string }> {
  const method = request.method.toUpperCase();
  if (!policy.verbs.includes(method)) return { status: 403, body: `the policy of this agent does not allow ${method}` };
  if (policy.hidden.includes(request.resource))
    return { status: 403, body: `the policy of this agent does not show ${request.resource}` };
  if (request.params?.['watch'] === 'true') return { status: 400, body: 'a watch is not carried through the agent' };
  try {
    const { status, text } = await read(pathOf(request));
    return { status, body: text };
  } catch (error) {
    return { status: 502, body: (error as Error).message };
  }
}
