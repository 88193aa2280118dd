import { messageOf } from '@fairlead/apimachinery';
import { pathOf } from '../wire/live-path.ts';
import type { ResourceRequest } from '../wire/live-request.ts';
import { type LivePolicy, refusalOf } from './live-policy.ts';

/** The content of a request that changes something. */
export interface LiveWrite {
  readonly method: string;
  readonly contentType: string;
  readonly body: string;
}

/** Sends a request to the API of this cluster: a read, unless a write is given. */
export type Reader = (path: string, write?: LiveWrite) => Promise<{ readonly status: number; readonly text: string }>;

/**
 * Answers a request for live access that came as an event, as principals of argocd-agent send them. Every success is answered with 200:
 * they pass no other body on.
 */
export async function answerLiveRequest(
  request: ResourceRequest,
  policy: LivePolicy,
  read: Reader,
): Promise<{ status: number; body: string }> {
  const method = request.method.toUpperCase();
  const path = pathOf(request);
  const refusal = refusalOf(policy, { method, path });
  if (refusal !== undefined) return { status: 403, body: refusal };
  if (request.params?.['watch'] === 'true')
    return { status: 400, body: 'live access by events does not support watch' };
  try {
    const { status, text } = await (method === 'GET' ? read(path) : read(path, writeOf(method, request.body ?? '')));
    return { status: status < 300 ? 200 : status, body: text };
  } catch (error) {
    return { status: 502, body: messageOf(error) };
  }
}

/** argocd-agent does not send the type of a patch: a list is a JSON patch, an object a merge patch. */
function writeOf(method: string, body: string): LiveWrite {
  if (method !== 'PATCH') return { method, body, contentType: 'application/json' };
  const isList = body.trimStart().startsWith('[');
  return { method, body, contentType: isList ? 'application/json-patch+json' : 'application/merge-patch+json' };
}
