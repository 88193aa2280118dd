import { apiError, isObject, type Json, toJson } from '@fairlead/apimachinery';
import type { ApiClient, Clock, Logger, Random } from '@fairlead/kube';
import type { Gpg } from '@fairlead/source';
import { allCalls } from './calls/all-calls.ts';
import type { ClusterAccess } from './clusters/cluster-infos.ts';
import { decodeRequest } from './http/decode-request.ts';
import { httpStatus } from './http/http-status.ts';
import { routesAt } from './http/routes-at.ts';
import { shapeResponse } from './http/shape-response.ts';
import type { CallContext } from './rpc/call.ts';
import { rpcErrorOf } from './rpc/kube-error.ts';
import { Server } from './server.ts';
import { ApplicationSources, type ApplicationSourcesOptions } from './sources/application-sources.ts';
import { prepareInstallation } from './state/prepare-installation.ts';
import { ServerState } from './state/server-state.ts';

export interface LocalApiOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly version: string;
  /** Recorded as the user of changes. */
  readonly username: string;
  readonly sources?: ApplicationSourcesOptions;
  readonly clusterAccess?: ClusterAccess;
  readonly gpg?: Gpg;
}

export interface LocalRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: string;
}

/** The REST API without a server. */
export interface LocalApi {
  /** Throws an ApiError with the HTTP status and the message of the API. */
  request(request: LocalRequest, signal: AbortSignal): Promise<Json>;
  close(): Promise<void>;
}

/**
 * The calls of the API server in this process, for a command with a kubeconfig: nothing listens, nobody has to sign in, and what the
 * kubeconfig may not do fails. Argo CD calls this `--core`.
 */
export async function openLocalApi(options: LocalApiOptions): Promise<LocalApi> {
  const stop = new AbortController();
  const state = new ServerState({ ...options, allNamespaces: false });
  await state.start(stop.signal);
  const sources = options.sources && new ApplicationSources(state, options.sources);
  const server = new Server({ ...options, state, sources, disableAuth: true });
  const calls = allCalls(server, options.version);
  const contextOf = (signal: AbortSignal): CallContext => ({
    caller: 'anonymous',
    // Who has a kubeconfig has signed in to the cluster just now.
    claims: { iss: 'kubeconfig', sub: options.username, iat: Math.floor(options.clock.now() / 1_000) },
    remoteAddress: '',
    signal,
    startSession: () => {},
  });
  return {
    async request({ method, target, body }, signal) {
      const [path = '', query = ''] = target.split(/\?(.*)/su);
      const found = routesAt(path).findLast(({ route }) => route.method === method);
      const call = found && calls[found.route.call];
      if (!found || !call) throw apiError(501, undefined, `unknown call ${method} ${path}`);
      try {
        // Tokens are signed with a key that the first start of a server creates.
        if (found.route.call.endsWith('.CreateToken')) await prepareInstallation(server);
        const message = decodeRequest(found.route, {
          pathValues: found.values,
          query: new URLSearchParams(query),
          body,
        });
        const answer = toJson(await call(contextOf(signal), message));
        return isObject(answer) ? shapeResponse(found.route, answer) : {};
      } catch (error) {
        const { code, message } = rpcErrorOf(error);
        throw apiError(httpStatus[code], code === 'AlreadyExists' ? 'AlreadyExists' : undefined, message);
      }
    },
    async close() {
      stop.abort();
      await server.close();
    },
  };
}
