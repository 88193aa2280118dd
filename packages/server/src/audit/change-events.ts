import {
  type Application,
  type ApplicationSet,
  type AppProject,
  applicationKind,
  applicationSetKind,
  appProjectKind,
} from '@fairlead/api';
import {
  apiVersionOf,
  isObject,
  type JsonObject,
  type KubeObject,
  listAt,
  numberAt,
  objectAt,
  type ResourceType,
  textAt,
} from '@fairlead/apimachinery';
import { isOwnApplication } from '../calls/application/actions.ts';
import { userName } from '../calls/session.ts';
import type { CallContext } from '../rpc/call.ts';
import type { Server } from '../server.ts';

type Reason = 'ResourceCreated' | 'ResourceUpdated' | 'ResourceDeleted' | 'ResourceActionRan' | 'OperationStarted';

/** The event of a call: its reason, and what the user did. */
type ChangeEvent = readonly [reason: Reason, did: (request: JsonObject, result: unknown) => string];

const says = (text: string) => (): string => text;

const resource = (request: JsonObject): string =>
  `${textAt(request, 'group')}/${textAt(request, 'kind')} '${textAt(request, 'resourceName')}'`;

/** The name is in the body of `actions`, and a field of `actions/v2`. */
const ranAction = (request: JsonObject): string => {
  if (isOwnApplication(request)) return `ran action ${textAt(request, 'action')}`;
  const kind = `${textAt(request, 'group')}/${textAt(request, 'kind')}/${textAt(request, 'resourceName')}`;
  return `ran action ${textAt(request, 'action')} on resource ${kind}`;
};

function startedSync(request: JsonObject, result: unknown): string {
  const partial = listAt(request, 'resources').length > 0 ? 'partial ' : '';
  if (listAt(request, 'manifests').length > 0) return `initiated ${partial}sync locally`;
  const sync = isObject(result) ? (objectAt(result, 'operation', 'sync') ?? {}) : {};
  const revisions = listAt(sync, 'revisions').map(String);
  return `initiated ${partial}sync to ${revisions.length > 0 ? revisions.join(',') : textAt(sync, 'revision')}`;
}

/** Reasons and messages are those of Argo CD. */
const applicationEvents: Readonly<Record<string, ChangeEvent>> = {
  'Application.Create': ['ResourceCreated', says('created application')],
  'Application.Update': ['ResourceUpdated', says('updated application spec')],
  'Application.UpdateSpec': ['ResourceUpdated', says('updated application spec')],
  'Application.Patch': ['ResourceUpdated', says('updated application spec')],
  'Application.Delete': ['ResourceDeleted', says('deleted application')],
  'Application.Sync': ['OperationStarted', startedSync],
  'Application.Rollback': ['OperationStarted', (request) => `initiated rollback to ${numberAt(request, 'id')}`],
  'Application.TerminateOperation': ['ResourceUpdated', says('terminated running operation')],
  'Application.PatchResource': ['ResourceUpdated', (request) => `patched resource ${resource(request)}`],
  'Application.DeleteResource': ['ResourceDeleted', (request) => `deleted resource ${resource(request)}`],
  'Application.RunResourceAction': ['ResourceActionRan', ranAction],
  'Application.RunResourceActionV2': ['ResourceActionRan', ranAction],
};

const projectEvents: Readonly<Record<string, ChangeEvent>> = {
  'Project.Create': ['ResourceCreated', says('created project')],
  'Project.Update': ['ResourceUpdated', says('updated project')],
  'Project.Delete': ['ResourceDeleted', says('deleted project')],
  'Project.CreateToken': ['ResourceCreated', says('created token')],
  'Project.DeleteToken': ['ResourceDeleted', says('deleted token')],
};

/** An ApplicationSet that was created, changed or deleted; none for a dry run, and for one that was the same before. */
function setEvent(server: Server, call: string, request: JsonObject): (() => SetEvent | undefined) | undefined {
  if (call !== 'ApplicationSet.Create' && call !== 'ApplicationSet.Delete') return undefined;
  const before = setOf(server, request);
  return () => {
    if (call === 'ApplicationSet.Delete') {
      return before && { object: before, reason: 'ResourceDeleted', did: 'deleted ApplicationSets' };
    }
    const object = setOf(server, request);
    if (!object || object.metadata.resourceVersion === before?.metadata.resourceVersion) return undefined;
    return before
      ? { object, reason: 'ResourceUpdated', did: 'updated ApplicationSets spec' }
      : { object, reason: 'ResourceCreated', did: 'created ApplicationSet' };
  };
}

interface SetEvent {
  readonly object: ApplicationSet;
  readonly reason: Reason;
  readonly did: string;
}

function setOf({ state }: Server, request: JsonObject): ApplicationSet | undefined {
  const metadata = objectAt(request, 'applicationset', 'metadata') ?? {};
  const name = textAt(request, 'name') || textAt(metadata, 'name');
  const namespace = textAt(request, 'appsetNamespace') || textAt(metadata, 'namespace') || state.namespace;
  return request['dryRun'] === true ? undefined : state.applicationSets.get(`${namespace}/${name}`);
}

/** Records the event of a call once it has succeeded. Undefined for calls without one. */
export function changeEvents(
  server: Server,
  call: string,
  { claims }: CallContext,
  request: JsonObject,
): ((result: unknown) => void) | undefined {
  const record = (object: KubeObject, { type }: { type: ResourceType }, reason: Reason, did: string): void =>
    server.events.record({
      regarding: { ...object, apiVersion: apiVersionOf(type), kind: type.kind },
      type: 'Normal',
      reason,
      action: call.split('.')[1] ?? call,
      note: `${(claims && userName(claims)) || 'Unknown user'} ${did}`,
    });
  const changedSet = setEvent(server, call, request);
  if (changedSet) {
    return () => {
      const changed = changedSet();
      if (changed) record(changed.object, applicationSetKind, changed.reason, changed.did);
    };
  }
  const [isApplication, event] = [
    Object.hasOwn(applicationEvents, call),
    applicationEvents[call] ?? projectEvents[call],
  ];
  if (!event) return undefined;
  const find = (): Application | AppProject | undefined =>
    isApplication ? applicationOf(server, request) : projectOf(server, request);
  // Read before the call: a deletion leaves nothing.
  const before = find();
  const [reason, did] = event;
  return (result) => {
    const object = find() ?? before;
    if (!object) return;
    record(object, isApplication ? applicationKind : appProjectKind, reason, did(request, result));
  };
}

function applicationOf({ state }: Server, request: JsonObject): Application | undefined {
  const metadata = objectAt(request, 'application', 'metadata') ?? {};
  const name = textAt(request, 'name') || textAt(metadata, 'name');
  const namespace = textAt(request, 'appNamespace') || textAt(metadata, 'namespace') || state.namespace;
  return state.applications.get(`${namespace}/${name}`);
}

const projectOf = ({ state }: Server, request: JsonObject): AppProject | undefined =>
  state.project(
    textAt(request, 'name') || textAt(request, 'project') || textAt(request, 'project', 'metadata', 'name'),
  );
