import { type Application, applicationKind } from '@fairlead/api';
import { isConflict, type JsonObject, listAt, numberAt, objectAt, toJson } from '@fairlead/apimachinery';
import { syncWindowDecision } from '@fairlead/app-controller';
import type { ApplicationAccess, FoundApplication } from '../../applications/application-access.ts';
import type { CallContext, Calls } from '../../rpc/call.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { withoutKind } from '../project.ts';
import { userName } from '../session.ts';
import { applicationAccess, compact, precondition, refOf } from './requests.ts';
import { resolveRevisions } from './sync-revisions.ts';
import { clusterOf } from './sync-windows.ts';

const { type } = applicationKind;

/** Start and end operations: sync, rollback, terminate. */
export const operationCalls = (server: Server): Calls => {
  const { state } = server;
  const { client } = state;
  const access = (): ApplicationAccess => applicationAccess(server);
  const seen = (application: Application): Promise<Application> => state.seen(state.applications, application);
  const userOf = ({ claims }: CallContext): string => (claims ? userName(claims) : '');

  const setOperation = async ({ application }: FoundApplication, operation: JsonObject): Promise<Application> => {
    const key = { namespace: application.metadata.namespace ?? '', name: application.metadata.name ?? '' };
    for (let attempt = 1; ; attempt++) {
      const at = await client.get<Application>(type, key);
      if (at.operation !== undefined) throw precondition('another operation is already in progress');
      const { operationState: _, ...status } = { operationState: undefined, ...at.status };
      const changed: unknown = { ...at, operation, status };
      try {
        return await seen(await client.replace<Application>(type, changed as Application));
      } catch (error) {
        if (!isConflict(error) || attempt === 5) throw error;
      }
    }
  };

  return {
    'Application.Sync': async (context, request) => {
      const manifests = listAt(request, 'manifests');
      const found = await access().findToSync(context.caller, refOf(request), {
        local: manifests.length > 0,
        check: (one) => requireOpenWindow(server, one),
      });
      const { application } = found;
      const isAutomated = isAutomatic(application) && request['dryRun'] !== true;
      if (manifests.length > 0 && isAutomated) {
        throw precondition('cannot use local sync when Automatic Sync Policy is enabled unless for dry run');
      }
      if (application.metadata.deletionTimestamp) throw precondition('application is deleting');
      const revisions = await resolveRevisions(
        server,
        context,
        application,
        request,
        isAutomated,
        access(),
        found.project,
      );
      const syncPolicy = application.spec.syncPolicy ?? {};
      const options = objectAt(request, 'syncOptions')
        ? listAt(request, 'syncOptions', 'items')
        : (syncPolicy.syncOptions ?? []);
      if (options.includes('Replace=true') && server.options.replaceAllowed === false) {
        throw precondition('sync with replace was disabled on the API Server level via the server configuration');
      }
      const retry = objectAt(request, 'retryStrategy') ?? toJson(syncPolicy.retry ?? null);
      const { source, sources } = application.spec;
      const hasSources = (sources ?? []).length > 0;
      return withoutKind(
        await setOperation(
          found,
          compact({
            sync: compact({
              ...(hasSources
                ? { sources: toJson(sources), revisions }
                : { source: toJson(source), revision: revisions[0] ?? '' }),
              prune: request['prune'] ?? null,
              dryRun: request['dryRun'] ?? null,
              syncOptions: options.length > 0 ? [...options] : null,
              syncStrategy: request['strategy'] ?? null,
              resources: request['resources'] ?? null,
              manifests: manifests.length > 0 ? [...manifests] : null,
            }),
            initiatedBy: compact({ username: userOf(context) }),
            info: request['infos'] ?? null,
            retry: retry === null ? {} : retry,
          }),
        ),
      );
    },

    'Application.Rollback': async (context, request) => {
      const found = await access().findToRollBack(context.caller, refOf(request));
      const { application } = found;
      if (application.metadata.deletionTimestamp) throw precondition('application is deleting');
      if (isAutomatic(application)) throw precondition('rollback cannot be initiated when auto-sync is enabled');
      const id = numberAt(request, 'id');
      const entry = application.status?.history?.find((one) => one.id === id);
      if (!entry) {
        const { namespace, name } = application.metadata;
        throw invalidArgument(`application ${namespace}/${name} does not have deployment with id ${id}`);
      }
      const { syncPolicy } = application.spec;
      return withoutKind(
        await setOperation(
          found,
          compact({
            sync: compact({
              revision: entry.revision ?? null,
              revisions: entry.revisions ?? null,
              source: toJson(entry.source ?? null),
              sources: toJson(entry.sources ?? null),
              prune: request['prune'] ?? null,
              dryRun: request['dryRun'] ?? null,
              syncOptions: syncPolicy?.syncOptions ?? null,
              syncStrategy: { apply: {} },
            }),
            initiatedBy: compact({ username: userOf(context) }),
            retry: {},
          }),
        ),
      );
    },

    'Application.TerminateOperation': async (context, request) => {
      const { application } = await access().find(context.caller, 'sync', refOf(request));
      if (!application.operation || !application.status?.operationState) {
        throw invalidArgument('Unable to terminate operation. No operation is in progress');
      }
      const key = { namespace: application.metadata.namespace ?? '', name: application.metadata.name ?? '' };
      const status = { operationState: { phase: 'Terminating' } };
      await seen(await client.patch<Application>(type, key, 'merge', { status }));
      return {};
    },
  };
};

/** Throws an RpcError if the sync windows of the project do not let users sync now. */
export function requireOpenWindow(server: Server, { application, project }: FoundApplication): void {
  const cluster = clusterOf(server, application);
  const decision = syncWindowDecision({ project, application, cluster, now: server.state.clock.now(), manual: true });
  if (decision.open) return;
  const why = decision.invalid === undefined ? 'blocked by sync window' : `invalid sync window: ${decision.invalid}`;
  throw new RpcError('PermissionDenied', `cannot sync: ${why}`);
}

const isAutomatic = ({ spec }: Application): boolean => {
  const automated = spec.syncPolicy?.automated;
  return automated !== undefined && automated !== null && automated.enabled !== false;
};
