import { type JsonObject, objectAt, textAt } from '@fairlead/apimachinery';
import { routes } from '../messages/routes.ts';
import type { CallContext, Calls } from '../rpc/call.ts';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import type { Server } from '../server.ts';
import type { AuditObject } from './audit-log.ts';
import { changeEvents } from './change-events.ts';

/** Calls that are sent as changes, and only read. */
const reads: ReadonlySet<string> = new Set([
  'Application.GetManifestsWithFiles',
  'ApplicationSet.Generate',
  'Repository.GetAppDetails',
  'Repository.ValidateAccess',
  'Repository.ValidateWriteAccess',
]);

/** Calls that change something. */
export const writes: ReadonlySet<string> = new Set(
  routes.filter(({ method, call }) => method !== 'GET' && !reads.has(call)).map(({ call }) => call),
);

/** Calls that read from a cluster as the server, for a user. */
const liveReads: ReadonlySet<string> = new Set(['Application.GetResource']);

/** The same calls, with a line in the audit log for each change and each live read, and an event on the Application or project that it was made to. */
export function auditedCalls(server: Server, calls: Calls): Calls {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => {
      if (!writes.has(name) && !liveReads.has(name)) return [name, call];
      return [
        name,
        async (context: CallContext, request: JsonObject) => {
          const { claims, remoteAddress: address } = context;
          const entry = { call: name, claims, user: textAt(request, 'username'), address, object: objectOf(request) };
          const event = writes.has(name) ? changeEvents(server, name, context, request) : undefined;
          try {
            const result = await call(context, request);
            server.audit.record({ ...entry, result: 'OK' });
            event?.(result);
            return result;
          } catch (error) {
            const { code, message } = rpcErrorOf(error);
            server.audit.record({ ...entry, result: code, message });
            throw error;
          }
        },
      ];
    }),
  );
}

/** Names in a request, wherever the call has them. Credentials in URLs are removed. */
function objectOf(request: JsonObject): AuditObject {
  const nested = ['application', 'project', 'applicationset'].map((field) => objectAt(request, field, 'metadata'));
  const metadata = nested.find((one) => one !== undefined) ?? {};
  const url = [
    textAt(request, 'repo'),
    textAt(request, 'repo', 'repo'),
    textAt(request, 'creds', 'url'),
    textAt(request, 'url'),
  ];
  const server = [textAt(request, 'cluster', 'server'), textAt(request, 'id', 'value'), textAt(request, 'server')];
  const name = [textAt(request, 'name'), textAt(metadata, 'name'), ...url, ...server].find((text) => text !== '') ?? '';
  const namespace =
    textAt(request, 'appNamespace') || textAt(request, 'appsetNamespace') || textAt(metadata, 'namespace');
  const project = textAt(request, 'project') || textAt(request, 'application', 'spec', 'project');
  const role = textAt(request, 'role');
  return {
    ...(name === '' ? {} : { name: withoutCredentials(name) }),
    ...(namespace === '' ? {} : { namespace }),
    ...(project === '' ? {} : { project }),
    ...(role === '' ? {} : { role }),
  };
}

const withoutCredentials = (text: string): string => text.replace(/^([a-z+]+:\/\/)[^/@]*@/iu, '$1');
