import { type Application, type AppProject, applicationKind } from '@fairlead/api';
import {
  applyJsonPatch,
  applyMergePatch,
  decodeTyped,
  equalJson,
  find,
  isAlreadyExists,
  isConflict,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  messageOf,
  numberAt,
  objectAt,
  parseLabelSelector,
  TypeMismatch,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import {
  activeSyncWindows,
  assignedSyncWindows,
  isWatchedNamespace,
  sourcesOf,
  syncWindowDecision,
} from '@fairlead/app-controller';
import { ApplicationAccess, type ApplicationRef, type FoundApplication } from '../applications/application-access.ts';
import { projectForApplication } from '../applications/application-project.ts';
import { destinationCluster, type KnownCluster, knownClusters } from '../applications/destination.ts';
import { refuseRepeatedSourceNames, validateApplication } from '../applications/validate-application.ts';
import { listEvents } from '../events/list-events.ts';
import { messageNamed } from '../messages/message-types.ts';
import type { CallContext, Calls } from '../rpc/call.ts';
import { invalidArgument, notFound, RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { withoutKind } from './project.ts';
import { userName } from './session.ts';

const { type } = applicationKind;

const unknown = (message: string): RpcError => new RpcError('Unknown', message);
const precondition = (message: string): RpcError => new RpcError('FailedPrecondition', message);

export const applicationAccess = (server: Server): ApplicationAccess => {
  const { state, options } = server;
  return new ApplicationAccess({
    enforcer: options.disableAuth ? { allows: () => true } : state.enforcer,
    namespace: state.namespace,
    isNamespaceEnabled: (namespace) => isEnabled(server, namespace),
    applicationNamed: (namespace, name) =>
      name === '' ? Promise.resolve(undefined) : find(state.client.get<Application>(type, { namespace, name })),
    projectOf: (application) => projectForApplication(application, state.namespace, (name) => state.project(name)),
    fineGrainedOnly: server.isOn('server.rbac.disableApplicationFineGrainedRBACInheritance', true),
    enforceRollback: server.isOn('server.rbac.rollback.enforce.enable'),
  });
};

const isEnabled = ({ state, options }: Server, namespace: string): boolean =>
  isWatchedNamespace(
    { namespace: state.namespace, applicationNamespaces: options.applicationNamespaces ?? [] },
    namespace,
  );

/** How requests name an Application: the field of its name differs. */
export const refOf = (request: JsonObject, nameField = 'name'): ApplicationRef => ({
  name: textAt(request, nameField),
  namespace: textAt(request, 'appNamespace'),
  project: textAt(request, 'project') || textAt({ first: listAt(request, 'project')[0] ?? '' }, 'first'),
});

/** What a selection of Applications has to be. */
export function selectorOf(
  request: JsonObject,
  failed = 'error parsing the selector',
): (application: Application) => boolean {
  const selector = readSelector(textAt(request, 'selector'), failed);
  const texts = (field: string): string[] => listAt(request, field).filter((item) => typeof item === 'string');
  const projects = new Set([...texts('projects'), ...texts('project')]);
  const [name, namespace, repo] = [textAt(request, 'name'), textAt(request, 'appNamespace'), textAt(request, 'repo')];
  return ({ metadata, spec }) =>
    (name === '' || metadata.name === name) &&
    (namespace === '' || metadata.namespace === namespace) &&
    (projects.size === 0 || projects.has(spec.project || 'default')) &&
    (repo === '' || sourcesOf(spec).some(({ repoURL }) => repoURL === repo)) &&
    selector(metadata.labels ?? {});
}

function readSelector(text: string, failed: string): (labels: Readonly<Record<string, string>>) => boolean {
  try {
    const selector = parseLabelSelector(text);
    return (labels) => selector.matches(labels);
  } catch (error) {
    throw unknown(`${failed}: ${messageOf(error)}`);
  }
}

export const applicationCalls = (server: Server): Calls => {
  const { state } = server;
  const { client } = state;
  const access = (): ApplicationAccess => applicationAccess(server);
  const seen = (application: Application): Promise<Application> => state.seen(state.applications, application);
  const clusters = (): KnownCluster[] => knownClusters(state.secrets.list());
  const userOf = ({ claims }: CallContext): string => (claims ? userName(claims) : '');

  const clusterOf = ({ spec }: Application): KnownCluster => {
    const cluster = destinationCluster(spec.destination, clusters());
    return typeof cluster === 'string'
      ? { server: spec.destination.server ?? '', name: spec.destination.name ?? '' }
      : cluster;
  };

  /** Refuses an Application that may not be stored. `validate` also checks that its sources can be read. */
  const checked = async (context: CallContext, application: Application, validate: boolean): Promise<void> => {
    const name = application.metadata.name ?? '';
    if (name === '') throw unknown('error while validating and normalizing app: resource name may not be empty');
    refuseRepeatedSourceNames(application);
    const namespace = application.metadata.namespace ?? state.namespace;
    const current = await find(client.get<Application>(type, { namespace, name }));
    if (current && (current.spec.project || 'default') !== (application.spec.project || 'default')) {
      access().require(context.caller, 'create', application);
      access().require(context.caller, 'update', current);
    }
    const project = projectForApplication(application, state.namespace, (one) => state.project(one));
    validateApplication(application, project, clusters());
    if (validate) await server.options.sources?.check(application, project);
  };

  /** Spec, labels, annotations and finalizers of another object, with those that are there or in their place. */
  const store = async (current: Application, given: Application, merge: boolean): Promise<Application> => {
    for (let attempt = 1, at = current; ; attempt++) {
      const { labels, annotations, finalizers } = given.metadata;
      const metadata = {
        ...at.metadata,
        labels: merge ? { ...at.metadata.labels, ...labels } : (labels ?? {}),
        annotations: merge ? { ...at.metadata.annotations, ...annotations } : (annotations ?? {}),
        finalizers: finalizers ?? [],
      };
      try {
        return await seen(
          await client.replace<Application>(type, { ...at, metadata, spec: normalizedSpec(given.spec) }),
        );
      } catch (error) {
        if (!isConflict(error) || attempt === 10) throw error;
        at = await client.get<Application>(type, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
      }
    }
  };

  const update = async (
    context: CallContext,
    given: Application,
    project: string,
    validate: boolean,
  ): Promise<Application> => {
    const { application } = await access().find(context.caller, 'update', {
      name: given.metadata.name ?? '',
      namespace: given.metadata.namespace ?? '',
      project,
    });
    await checked(context, given, validate);
    return store(application, given, false);
  };

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
    'Application.List': (context, request) => {
      const matches = selectorOf(request);
      const rights = access();
      const items = state.applications
        .list()
        .filter((one) => matches(one) && isEnabled(server, one.metadata.namespace ?? ''))
        .filter((one) => rights.allows(context.caller, 'get', one))
        .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
      return { metadata: { resourceVersion: latestVersion(state.applications.list()) }, items: items.map(withoutKind) };
    },

    'Application.Get': async (context, request) => {
      const { application } = await access().find(context.caller, 'get', refOf(request));
      const refresh = textAt(request, 'refresh');
      if (refresh === '') return withoutKind(application);
      return withoutKind(await refreshed(server, context, application, refresh === 'hard' ? 'hard' : 'normal'));
    },

    'Application.Create': async (context, request) => {
      const application = applicationFrom(objectAt(request, 'application') ?? {}, state.namespace);
      access().require(context.caller, 'create', application);
      projectForApplication(application, state.namespace, (name) => state.project(name));
      await checked(context, application, request['validate'] !== false);
      const namespace = application.metadata.namespace ?? '';
      if (!isEnabled(server, namespace)) throw unknown(`namespace '${namespace}' is not permitted`);
      const { operation: _, status: __, ...rest } = { operation: undefined, status: undefined, ...application };
      const given: Application = { ...rest, spec: normalizedSpec(application.spec) };
      try {
        return withoutKind(await seen(await client.create<Application>(type, given)));
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
      const existing = await client.get<Application>(type, { namespace, name: given.metadata.name ?? '' });
      if (isSame(existing, given)) return withoutKind(existing);
      if (request['upsert'] !== true) {
        throw invalidArgument('existing application spec is different, use upsert flag to force update');
      }
      access().require(context.caller, 'update', given);
      return withoutKind(await store(existing, given, true));
    },

    'Application.Update': async (context, request) => {
      const application = applicationFrom(objectAt(request, 'application') ?? {}, state.namespace);
      access().require(context.caller, 'update', application);
      return withoutKind(await update(context, application, textAt(request, 'project'), request['validate'] !== false));
    },

    'Application.UpdateSpec': async (context, request) => {
      const ref = refOf(request);
      const { application } = await access().find(context.caller, 'update', ref);
      const given = applicationFrom(
        { ...toObject(application), spec: objectAt(request, 'spec') ?? {} },
        state.namespace,
      );
      return (await update(context, given, ref.project, request['validate'] !== false)).spec;
    },

    'Application.Patch': async (context, request) => {
      const ref = refOf(request);
      const { application } = await access().find(context.caller, 'get', ref);
      access().require(context.caller, 'update', application);
      const patched = patchedApplication(toObject(application), textAt(request, 'patch'), textAt(request, 'patchType'));
      return withoutKind(await update(context, applicationFrom(patched, state.namespace), ref.project, true));
    },

    'Application.Delete': async (context, request) => {
      const ref = refOf(request);
      const { application } = await access().findToDelete(context.caller, ref);
      const policy = textAt(request, 'propagationPolicy');
      const isCascade = request['cascade'] !== false;
      if (!isCascade && policy !== '')
        throw invalidArgument('cannot set propagation policy when cascading is disabled');
      const finalizers = finalizersAfter(application, isCascade, policy);
      const key = { namespace: application.metadata.namespace ?? '', name: application.metadata.name ?? '' };
      if (finalizers) await client.patch(type, key, 'merge', { metadata: { finalizers } });
      await client.delete(type, key);
      await state.gone(state.applications, `${key.namespace}/${key.name}`, application.metadata.uid);
      return {};
    },

    'Application.Sync': async (context, request) => {
      const manifests = listAt(request, 'manifests');
      const found = await access().findToSync(context.caller, refOf(request), {
        local: manifests.length > 0,
        check: ({ application, project }) => {
          const decision = syncWindowDecision({
            project,
            application,
            cluster: clusterOf(application),
            now: state.clock.now(),
            manual: true,
          });
          if (decision.open) return;
          const why =
            decision.invalid === undefined ? 'blocked by sync window' : `invalid sync window: ${decision.invalid}`;
          throw new RpcError('PermissionDenied', `cannot sync: ${why}`);
        },
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

    'Application.GetApplicationSyncWindows': async (context, request) => {
      const { application, project } = await access().find(context.caller, 'get', refOf(request));
      const cluster = clusterOf(application);
      const assigned = assignedSyncWindows(project, application, cluster);
      const now = state.clock.now();
      const { open } = syncWindowDecision({ project, application, cluster, now, manual: true });
      return {
        assignedWindows: assigned.map(windowMessage),
        activeWindows: activeSyncWindows(assigned, now).map(windowMessage),
        canSync: open,
      };
    },

    'Application.ListResourceEvents': async (context, request) => {
      const { application } = await access().find(context.caller, 'get', refOf(request));
      const { namespace = '', name = '', uid = '' } = application.metadata;
      const [resource, resourceUid] = [textAt(request, 'resourceName'), textAt(request, 'resourceUID')];
      if (resource === '' && resourceUid === '') return listEvents(client, namespace, { name, namespace, uid });
      const there = textAt(request, 'resourceNamespace');
      return listEvents(client, there, { name: resource, namespace: there, uid: resourceUid });
    },

    'Application.ListLinks': async (context, request) => {
      await access().find(context.caller, 'get', { ...refOf(request), namespace: textAt(request, 'namespace') });
      return {};
    },
  };
};

const toObject = (application: Application): JsonObject => {
  const value = toJson(application);
  return isObject(value) ? value : {};
};

const compact = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined && item !== ''));

/** The Application in a request, in the server's namespace unless it names another. Its shape was checked when it was decoded. */
function applicationFrom(message: JsonObject, namespace: string): Application {
  const metadata = objectAt(message, 'metadata') ?? {};
  const application: unknown = {
    ...message,
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { ...metadata, name: textAt(metadata, 'name'), namespace: textAt(metadata, 'namespace') || namespace },
    spec: objectAt(message, 'spec') ?? {},
  };
  return application as Application;
}

/** The project is never empty in what is stored. */
const normalizedSpec = (spec: Application['spec']): Application['spec'] => ({
  ...spec,
  project: spec.project || 'default',
});

function isSame(one: Application, other: Application): boolean {
  const parts = ({ metadata, spec }: Application): Json =>
    toJson([spec, metadata.labels ?? {}, metadata.annotations ?? {}, metadata.finalizers ?? []]);
  return equalJson(parts(one), parts(other));
}

const isAutomatic = ({ spec }: Application): boolean => {
  const automated = spec.syncPolicy?.automated;
  return automated !== undefined && automated !== null && automated.enabled !== false;
};

function latestVersion(applications: readonly Application[]): string {
  return String(applications.reduce((last, { metadata }) => Math.max(last, Number(metadata.resourceVersion ?? 0)), 0));
}

function patchedApplication(application: JsonObject, patch: string, patchType: string): JsonObject {
  if (patchType !== 'json' && patchType !== '' && patchType !== 'merge') {
    throw invalidArgument(`Patch type '${patchType}' is not supported`);
  }
  const isMerge = patchType === 'merge';
  const parsed = parsePatch(patch);
  if (parsed === undefined || (!isMerge && !Array.isArray(parsed))) {
    throw unknown(
      isMerge ? 'error calculating merge patch: Invalid JSON Patch' : 'error decoding json patch: invalid JSON patch',
    );
  }
  let result: Json;
  try {
    result = isMerge
      ? applyMergePatch(application, parsed)
      : applyJsonPatch(application, Array.isArray(parsed) ? parsed : []);
  } catch (error) {
    throw unknown(`error applying patch: ${messageOf(error)}`);
  }
  if (!isObject(result)) {
    const kind = Array.isArray(result) ? 'array' : typeof result;
    throw unknown(
      `error unmarshaling patched app: json: cannot unmarshal ${kind} into Go value of type v1alpha1.Application`,
    );
  }
  try {
    return decodeTyped(result, messageNamed('v1alpha1.Application')).object;
  } catch (error) {
    if (error instanceof TypeMismatch) throw unknown(`error unmarshaling patched app: ${error.message}`);
    throw error;
  }
}

function parsePatch(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const resourcesFinalizer = 'resources-finalizer.argocd.argoproj.io';
const policies: Readonly<Record<string, string>> = {
  '': resourcesFinalizer,
  foreground: `${resourcesFinalizer}/foreground`,
  background: `${resourcesFinalizer}/background`,
};

/** The finalizers that a deletion needs, if others are there. */
function finalizersAfter({ metadata }: Application, isCascade: boolean, policy: string): string[] | undefined {
  const present = metadata.finalizers ?? [];
  const others = present.filter((one) => !one.startsWith(resourcesFinalizer));
  if (!isCascade) return others.length === present.length ? undefined : others;
  const target = policies[policy];
  if (target === undefined) throw invalidArgument(`invalid propagation policy: ${policy}`);
  return present.includes(target) || metadata.deletionTimestamp ? undefined : [...others, target];
}

function windowMessage(window: { kind?: string; schedule?: string; duration?: string; manualSync?: boolean }): object {
  const { kind = '', schedule = '', duration = '', manualSync = false } = window;
  return { kind, schedule, duration, manualSync };
}

/** The revisions of a sync, one per source. Another revision than that of the source may need the right to override. */
async function resolveRevisions(
  server: Server,
  context: CallContext,
  application: Application,
  request: JsonObject,
  isAutomated: boolean,
  access: ApplicationAccess,
  project: AppProject,
): Promise<string[]> {
  const sources = sourcesOf(application.spec);
  const hasMany = (application.spec.sources ?? []).length > 0;
  const given = hasMany ? sources.map(() => '') : [textAt(request, 'revision')];
  if (hasMany) {
    const revisions = listAt(request, 'revisions');
    if (revisions.length < listAt(request, 'sourcePositions').length) {
      throw invalidArgument('each source position needs a revision');
    }
    for (const [i, position] of listAt(request, 'sourcePositions').entries()) {
      const at = Number(position);
      if (at <= 0 || at > sources.length) throw unknown('source position is out of range');
      given[at - 1] = String(revisions[i] ?? '');
    }
  }
  for (const [i, revision] of given.entries()) {
    const { repoURL = '', targetRevision = '' } = sources[i] ?? {};
    if (revision === '' || revision === (targetRevision || 'HEAD')) continue;
    if (server.isOn('application.sync.requireOverridePrivilegeForRevisionSync')) {
      access.require(context.caller, 'override', application);
    }
    if (!isAutomated) continue;
    throw precondition(
      hasMany
        ? `Cannot sync source ${repoURL} to ${revision}: auto-sync currently set to ${targetRevision}`
        : `Cannot sync to ${revision}: auto-sync currently set to ${targetRevision}`,
    );
  }
  const asked = sources.map((source, i) => given[i] || source.targetRevision || 'HEAD');
  if (listAt(request, 'manifests').length > 0) return [];
  const reader = server.options.sources;
  if (!reader) return asked;
  return Promise.all(sources.map((source, i) => reader.resolve(source, asked[i] ?? '', project)));
}

const refreshAnnotation = 'argocd.argoproj.io/refresh';
const refreshMs = 60_000;

/** Asks the controller to compare again, and waits until it has. */
async function refreshed(
  { state }: Server,
  { signal }: CallContext,
  application: Application,
  kind: 'normal' | 'hard',
): Promise<Application> {
  const { namespace = '', name = '' } = application.metadata;
  const key = `${namespace}/${name}`;
  const patch = { metadata: { annotations: { [refreshAnnotation]: kind } } };
  await state.seen(
    state.applications,
    await state.client.patch<Application>(type, { namespace, name }, 'merge', patch),
  );
  return new Promise((resolve, reject) => {
    const done = (result: Application | RpcError): void => {
      remove();
      cancel();
      if (result instanceof RpcError) reject(result);
      else resolve(result);
    };
    const check = (): void => {
      const found = state.applications.get(key);
      if (!found) done(notFound(`applications.argoproj.io "${name}" not found`));
      else if (found.metadata.annotations?.[refreshAnnotation] === undefined) done(found);
    };
    const remove = state.applications.addHandler({ onUpdate: check, onDelete: check });
    const cancel = state.clock.after(refreshMs, () =>
      done(new RpcError('DeadlineExceeded', 'application refresh deadline exceeded')),
    );
    signal.addEventListener('abort', () => done(new RpcError('Canceled', 'context canceled')), { once: true });
    check();
  });
}
