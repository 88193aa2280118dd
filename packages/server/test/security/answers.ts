/** The answer to a row of the table through REST and gRPC: the code of gRPC, which errors of REST contain too. */
import { at, isObject, type JsonObject, numberAt } from '@fairlead/apimachinery';
import { status } from '@grpc/grpc-js';
import { type GrpcMethod, grpcMethods } from '../../src/grpc/methods.ts';
import { messageNamed } from '../../src/messages/message-types.ts';
import type { Route } from '../../src/messages/routes.ts';
import type { TestGrpcClient } from '../support/grpc-client.ts';
import type { CallRow } from './call-table.ts';
import { messageWith } from './request-message.ts';
import { restRequest } from './rest-request.ts';

/** A stream without events sends nothing: after this time it was not refused. */
const streamMs = 300;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The answer of REST; streams are left after their headers. */
export async function throughRest(url: string, row: CallRow, route: Route, token: string | undefined): Promise<Answer> {
  const { method, path, body } = restRequest(route, row);
  const stop = new AbortController();
  const timer = route.isStream ? setTimeout(() => stop.abort(), streamMs) : undefined;
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body }),
      signal: stop.signal,
    });
    const text = route.isStream && answer.status === 200 ? '' : await answer.text();
    return { status: answer.status, text };
  } catch (error) {
    if (stop.signal.aborted) return { status: 200, text: '' };
    throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/** The code of gRPC in an answer of REST. */
export function codeOf({ status: http, text }: Answer): number {
  if (http === 200) return status.OK;
  const body: unknown = JSON.parse(text);
  // Errors of streams have both codes, within `error`.
  return isObject(at(body, 'error')) ? numberAt(body, 'error', 'grpc_code') : numberAt(body, 'code');
}

/** Whether a caller was refused, and why; what else was answered depends on what earlier calls have changed. */
export const decisionOf = (code: number): 'unauthenticated' | 'denied' | 'answered' =>
  code === status.UNAUTHENTICATED ? 'unauthenticated' : code === status.PERMISSION_DENIED ? 'denied' : 'answered';

/** The unary call or server stream of a row; a stream of the client has no request of this form. */
export const grpcMethodOf = (call: string): GrpcMethod | undefined =>
  grpcMethods.find((method) => method.call === call && !method.isClientStream);

/** Values of repeated fields are lists in messages; a query has them one by one. */
const withLists = ({ request }: GrpcMethod, message: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      name,
      messageNamed(request).fields.get(name)?.schema.type === 'list' ? [value] : value,
    ]),
  );

export async function throughGrpc(
  client: TestGrpcClient,
  method: GrpcMethod,
  row: CallRow,
  token: string | undefined,
): Promise<number> {
  const request = withLists(method, messageWith(Object.entries(row.fields)));
  const settings = token === undefined ? {} : { token };
  const answer = method.isServerStream
    ? client.stream(row.call, request, 1, { ...settings, deadline: Date.now() + streamMs })
    : client.unary(row.call, request, settings);
  const code = await answer.then(
    () => status.OK,
    (error: { readonly code: number }) => error.code,
  );
  return method.isServerStream && code === status.DEADLINE_EXCEEDED ? status.OK : code;
}
