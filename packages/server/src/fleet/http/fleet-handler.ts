import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FieldProblem, firstProblem } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import type { PathHandler } from '../../http/api-server.ts';
import { authenticated, type RequestOptions, readBody } from '../../http/read-request.ts';
import { sendError, sendJson } from '../../http/reply.ts';
import type { CallContext } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import { invalidArgument, notFound, RpcError } from '../../rpc/rpc-error.ts';
import { type Endpoint, type EndpointId, endpointOf } from '../api/endpoints.ts';
import { matchEndpoint } from './match-endpoint.ts';
import { QueryValues } from './query-values.ts';

/** What an endpoint is asked. */
export interface FleetRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryValues;
  /** Valid by the schema of the endpoint. */
  readonly body: unknown;
}

export type FleetCall = (context: CallContext, request: FleetRequest) => Promise<object> | object;
export type FleetStream = (
  context: CallContext,
  request: FleetRequest,
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
) => Promise<void>;

export type FleetCalls = Readonly<Record<Exclude<EndpointId, 'streamEvents'>, FleetCall>>;

export interface FleetHandlerOptions extends RequestOptions {
  readonly gzip: boolean;
  readonly calls: FleetCalls;
  readonly stream: FleetStream;
}

/** Answers requests below `/api/fairlead/v1`. */
export function fleetHandler(options: FleetHandlerOptions): PathHandler {
  const vary: Readonly<Record<string, string>> = options.gzip ? { vary: 'Accept-Encoding' } : {};
  return async (request, response, url) => {
    try {
      const matched = matchEndpoint(request.method ?? '', url.pathname);
      if (!matched) throw notFound(`no such path: ${url.pathname.slice(0, 200)}`);
      if (matched === 'method') throw new RpcError('Unimplemented', `${request.method} is not supported here`);
      const { id, path } = matched;
      const endpoint = endpointOf(id);
      const { context, refusal } = await authenticated(options, request, response);
      if (refusal && !endpoint.isPublic) throw refusal;
      const query = QueryValues.read(url.searchParams, endpoint.query ?? {});
      const body = endpoint.body ? await bodyOf(request, endpoint) : undefined;
      const asked = { path, query, body };
      if (id === 'streamEvents') return await options.stream(context, asked, { request, response });
      const answer = JSON.stringify(await options.calls[id](context, asked));
      sendJson(request, response, { body: answer, headers: { 'cache-control': 'no-store', ...vary } });
    } catch (error) {
      if (response.headersSent) throw error;
      // The rest of a body that is refused is not read.
      if (!request.complete) response.setHeader('connection', 'close');
      sendError(request, response, rpcErrorOf(error), vary);
    }
  };
}

async function bodyOf(request: IncomingMessage, { body: schema = {} }: Endpoint): Promise<unknown> {
  const text = await readBody(request, limits.fleetBodyBytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidArgument(`the body is not JSON: ${messageOf(error)}`);
  }
  const problem = firstProblem(schema, value);
  if (problem) throw invalidArgument(sentenceOf(problem));
  return value;
}

const sentenceOf = ({ field, message }: FieldProblem): string => `${field} ${message}`.slice(0, 300);
