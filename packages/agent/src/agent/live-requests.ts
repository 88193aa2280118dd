import { messageOf } from '@fairlead/apimachinery';
import { pathOf } from '../wire/live-path.ts';
import type { ResourceRequest } from '../wire/live-request.ts';
import { type LivePolicy, refusalOf } from './live-policy.ts';

export type Reader = (path: string) => Promise<{ readonly status: number; readonly text: string }>;

/** Answers a request for live access that came as an event: principals of argocd-agent send them, and only reads are answered. */
export async function answerLiveRequest(
  request: ResourceRequest,
  policy: LivePolicy,
  read: Reader,
): Promise<{ status: number; body: string }> {
  const method = request.method.toUpperCase();
  const path = pathOf(request);
  const refusal = refusalOf(policy, { method, path });
  if (refusal !== undefined) return { status: 403, body: refusal };
  if (method !== 'GET') return { status: 403, body: `the policy of this agent does not allow ${method}` };
  if (request.params?.['watch'] === 'true')
    return { status: 400, body: 'live access by events does not support watch' };
  try {
    const { status, text } = await read(path);
    return { status, body: text };
  } catch (error) {
    return { status: 502, body: messageOf(error) };
  }
}
