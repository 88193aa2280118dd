import type { IncomingMessage, ServerResponse } from 'node:http';
import { type KubeObject, messageOf, objectAt, objectsAt, podType, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { rbacName } from '../accounts/can-i.ts';
import { projectForApplication } from '../applications/application-project.ts';
import { isEnabled } from '../calls/application/requests.ts';
import { actingLive, compared } from '../calls/application/resources.ts';
import type { PathHandler } from '../http/api-server.ts';
import { sendText } from '../http/reply.ts';
import { upgradeOf } from '../http/upgrades.ts';
import { leaseFor, readLive } from '../live/application-state.ts';
import { treeOfLive } from '../live/application-tree.ts';
import type { ClusterLease } from '../live/live-clusters.ts';
import { denialMessage } from '../rbac/enforcer.ts';
import type { AccessRequest } from '../rbac/evaluator.ts';
import type { CallContext } from '../rpc/call.ts';
import { authenticateCall } from '../rpc/perform-call.ts';
import { goError, permissionDenied, type RpcCode } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { tokenOf } from '../session/authenticate.ts';
import { TerminalRefused, type TerminalRequest, terminalRequest } from './terminal-request.ts';
import { runTerminal, type TerminalRight } from './terminal-session.ts';
import { handshakeKey } from './web-socket.ts';

const defaultShells = 'bash,sh,powershell,cmd';

/** `/terminal`: a shell in a container of an Application, for users with the right `exec, create`. */
export function terminalPath(server: Server): PathHandler {
  let open = 0;
  return async (request, response, url) => {
    const context = await callerOf(server, request, response);
    if (!context) return;
    if (!server.isOn('exec.enabled')) return void response.writeHead(404).end();
    const asked = terminalRequest(url.searchParams);
    if (asked instanceof TerminalRefused) return sendText(response, asked.status, asked.message);
    open += 1;
    let lease: ClusterLease | undefined;
    try {
      requireRights(server, context, asked);
      if (open > limits.apiTerminals) throw new TerminalRefused(503, 'Too many terminals are open');
      lease = await leaseOf(server, context, asked);
      const [upgrade, key] = [upgradeOf(request), handshakeKey(request)];
      if (!upgrade || key === undefined) throw new TerminalRefused(400, 'Bad Request');
      const { connection } = lease;
      await runTerminal({
        upgrade: { socket: upgrade.take(), head: upgrade.head },
        key,
        clock: server.state.clock,
        container: { namespace: asked.namespace, pod: asked.pod, container: asked.container },
        shells: shellsOf(server, asked.shell),
        exec: (...args) => connection.exec(...args),
        check: () => check(server, request, asked),
        onStart: () => record(server, context, asked, 'OK'),
        onRefused: (reason) => record(server, context, asked, 'Unavailable', reason),
      });
    } catch (error) {
      // Once the protocol has changed, there is no response.
      if (!response.socket) throw error;
      const { status, message } = error instanceof TerminalRefused ? error : { status: 500, message: messageOf(error) };
      record(server, context, asked, codes[status] ?? 'Unknown', message);
      sendText(response, status, message);
    } finally {
      open -= 1;
      lease?.release();
    }
  };
}

const codes: Readonly<Record<number, RpcCode>> = {
  400: 'InvalidArgument',
  401: 'PermissionDenied',
  403: 'PermissionDenied',
  404: 'NotFound',
  503: 'ResourceExhausted',
};

/** The caller; undefined if the request was answered because there is none. */
async function callerOf(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<CallContext | undefined> {
  if (!server.options.disableAuth && tokenOf(request.headers) === undefined) {
    sendText(response, 400, 'Auth cookie not found');
    return undefined;
  }
  const stop = new AbortController();
  response.on('close', () => stop.abort());
  const origin = { headers: request.headers, isChange: true, remoteAddress: server.addressOf(request) };
  try {
    // A session is not renewed here: a WebSocket has no cookies to set.
    const found = await authenticateCall(server, { ...origin, signal: stop.signal, startSession: () => {} });
    if (!found.refusal) return found.context;
  } catch (error) {
    sendText(response, 403, messageOf(error));
    return undefined;
  }
  sendText(response, 401, 'Invalid token');
  return undefined;
}

const objectOf = ({ state }: Server, { project, applicationNamespace, application }: TerminalRequest): string =>
  rbacName(state.namespace, project, applicationNamespace, application);

const rightsFor = (server: Server, asked: TerminalRequest): AccessRequest[] => [
  { resource: 'applications', action: 'get', object: objectOf(server, asked) },
  { resource: 'exec', action: 'create', object: objectOf(server, asked) },
];

function requireRights(server: Server, context: CallContext, asked: TerminalRequest): void {
  const { applicationNamespace: namespace } = asked;
  if (!isEnabled(server, namespace)) throw new TerminalRefused(403, `namespace '${namespace}' is not permitted`);
  const missing = rightsFor(server, asked).find((right) => !server.allows(context, right));
  if (missing) throw new TerminalRefused(401, goError(permissionDenied(denialMessage(context.caller, missing))));
}

/** The cluster of a pod that belongs to the Application, and has the container. */
async function leaseOf(server: Server, context: CallContext, asked: TerminalRequest): Promise<ClusterLease> {
  const { state } = server;
  const application = state.applications.get(`${asked.applicationNamespace}/${asked.application}`);
  if (!application) throw new TerminalRefused(404, 'App not found');
  if ((application.spec.project || 'default') !== asked.project) {
    throw new TerminalRefused(400, 'The wrong project was specified for the app');
  }
  const project = projectForApplication(application, state.namespace, (name) => state.project(name));
  const found = await compared(server, context, { application, project });
  const lease = await leaseFor(server, found.application, 'tree');
  if (!lease) throw new TerminalRefused(400, 'Cannot get raw cluster config');
  try {
    const live = await readLive(server, found, lease, context.signal);
    const acting = actingLive(live).lease;
    const { nodes } = await treeOfLive(server, live);
    const isPart = nodes.some(
      ({ group = '', kind, namespace = '', name, uid = '' }) =>
        group === '' && kind === 'Pod' && uid !== '' && namespace === asked.namespace && name === asked.pod,
    );
    if (!isPart) throw new TerminalRefused(400, "Pod doesn't belong to specified app");
    const pod = await acting.cluster.client.get(podType, { namespace: asked.namespace, name: asked.pod }).catch(() => {
      throw new TerminalRefused(400, 'Cannot find pod');
    });
    if (!isRunning(pod, asked.container)) throw new TerminalRefused(400, 'container find running');
    return acting;
  } catch (error) {
    lease.release();
    throw error;
  }
}

const isRunning = (pod: KubeObject, container: string): boolean =>
  ['containerStatuses', 'initContainerStatuses'].some((list) =>
    objectsAt(pod, 'status', list).some(
      (status) => textAt(status, 'name') === container && objectAt(status, 'state', 'running') !== undefined,
    ),
  );

/** `exec.shells`, in order; the one that is asked for alone if it is among them. */
function shellsOf({ state }: Server, asked: string): readonly string[] {
  const allowed = (state.settings['exec.shells'] || defaultShells).split(',').map((shell) => shell.trim());
  return allowed.includes(asked) ? [asked] : allowed.filter((shell) => shell !== '');
}

/** A token may expire or be revoked, and rights may be taken, while a terminal is open. */
async function check(server: Server, request: IncomingMessage, asked: TerminalRequest): Promise<TerminalRight> {
  if (server.options.disableAuth) return 'allowed';
  let isRenewed = false;
  const { context, refusal } = await authenticateCall(server, {
    headers: request.headers,
    isChange: true,
    remoteAddress: server.addressOf(request),
    signal: new AbortController().signal,
    startSession: () => {
      isRenewed = true;
    },
  });
  if (refusal) return 'ended';
  if (isRenewed) return 'reconnect';
  return rightsFor(server, asked).every((right) => server.allows(context, right)) ? 'allowed' : 'denied';
}

function record(
  server: Server,
  { claims, remoteAddress: address }: CallContext,
  { application, applicationNamespace, project, namespace, pod, container }: TerminalRequest,
  result: RpcCode,
  message?: string,
): void {
  const where = `${namespace}/${pod}/${container}`;
  server.audit.record({
    call: 'Terminal.Open',
    claims,
    address,
    object: { name: application, namespace: applicationNamespace, project },
    result,
    message: message === undefined ? where : `${where}: ${message}`,
  });
}
