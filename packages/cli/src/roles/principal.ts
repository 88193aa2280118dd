import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { journalsIn, liveAccessSecret, liveProxy, Principal, withCapabilities, writeLiveAccess } from '@fairlead/agent';
import {
  type ApiClient,
  aborted,
  type MetricsRegistry,
  type StatusServer,
  startStatusServer,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { version } from '../commands/version.ts';
import type { Role, RunningRole } from './role.ts';

export interface PrincipalOptions {
  readonly namespace?: string;
  readonly host: string;
  readonly port: number;
  /** Names at which agents reach it; the first is part of invitations. */
  readonly names: readonly string[];
  /** The address of metrics, health and live access; not served by default. */
  readonly status?: { readonly host?: string; readonly port: number };
  /** Where the outbox is persisted; only in memory by default. */
  readonly outboxDir?: string;
  /** Patterns of additional namespaces whose Applications are sent to the agents that their destinations name. */
  readonly applicationNamespaces?: readonly string[];
}

export interface RunningPrincipal extends RunningRole {
  /** The address for agents. */
  readonly address: string;
  readonly statusPort?: number;
}

/** The version that principal and agent exchange. */
export const wireVersion = (): string => withCapabilities(version());

/** The principal of the hub cluster: the server that agents connect to. */
export const principalRole: Role<PrincipalOptions, RunningPrincipal> = {
  id: 'principal',
  name: 'principal',
  async start(options, { client, environment, registry, log }, signal) {
    const { host, port, names, namespace = environment.namespace, applicationNamespaces, outboxDir } = options;
    const principal = await Principal.start(
      {
        client,
        host,
        port,
        names,
        namespace,
        version: wireVersion(),
        clock: systemClock,
        random: systemRandom,
        log,
        registry,
        ...(outboxDir ? { link: { journal: journalsIn(outboxDir) } } : {}),
        ...(applicationNamespaces ? { applicationNamespaces } : {}),
      },
      signal,
    );
    const status =
      options.status &&
      (await serve(principal, options.status, registry, client, { namespace, name: names[0] }).catch(
        async (error: unknown) => {
          await principal.close();
          throw error;
        },
      ));
    const stopped = aborted(signal).then(async () => {
      await principal.close();
      await status?.close();
    });
    return { address: principal.address, stopped, ...(status ? { statusPort: status.port } : {}) };
  },
};

/** The right to read the Secret is the right to use live access. */
async function serve(
  principal: Principal,
  at: { readonly host?: string; readonly port: number },
  registry: MetricsRegistry,
  client: ApiClient,
  { namespace, name }: { readonly namespace: string; readonly name: string | undefined },
): Promise<StatusServer> {
  const token = randomBytes(24).toString('base64url');
  const isAllowed = (authorization: string | undefined): boolean => {
    const given = Buffer.from(authorization ?? '');
    const expected = Buffer.from(`Bearer ${token}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const serveLive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const answer = isAllowed(request.headers.authorization)
      ? await readOrLog(principal, query.get('agent') ?? '', query.get('path') ?? '')
      : { status: 401, body: `missing or wrong token: use the token of Secret ${liveAccessSecret}` };
    response.statusCode = answer.status;
    response.end(answer.body);
  };
  const server = await startStatusServer({
    ...at,
    registry,
    live: new Map([['ping', () => undefined]]),
    ready: new Map([['stream', () => undefined]]),
    routes: new Map([['/look', serveLive]]),
    proxied: liveProxy({ isAllowed, connect: (agent) => principal.tunnelTo(agent) }),
  });
  try {
    // An address to listen on is not one to connect to.
    const host = at.host === '0.0.0.0' ? (name ?? '127.0.0.1') : (at.host ?? '127.0.0.1');
    await writeLiveAccess(client, namespace, { url: `http://${host}:${server.port}`, token });
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

/** Logs are streamed, everything else is one response. */
function readOrLog(principal: Principal, agent: string, path: string): Promise<{ status: number; body: string }> {
  const [, namespace, podName, query = ''] =
    /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log(?:\?(.*))?$/u.exec(path) ?? [];
  if (!namespace || !podName) return principal.liveRequest(agent, path);
  const params = new URLSearchParams(query);
  const numbers = ['tailLines', 'sinceSeconds', 'limitBytes'].flatMap((name) =>
    params.has(name) ? [[name, Number(params.get(name))] as const] : [],
  );
  const switches = ['timestamps', 'previous'].filter((name) => params.get(name) === 'true');
  const texts = ['container', 'sinceTime'].flatMap((name) =>
    params.get(name) ? [[name, params.get(name)] as const] : [],
  );
  return principal.logs(agent, {
    namespace,
    podName,
    ...Object.fromEntries([...numbers, ...texts, ...switches.map((name) => [name, true] as const)]),
  });
}
