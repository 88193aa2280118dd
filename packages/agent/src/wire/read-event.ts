import { isJsonObject, listAt, numberAt, stringsAt, textAt } from '@fairlead/apimachinery';
import { isMirroredKind, type MirroredKind, type MirroredObject, sourceUidOf } from '../core/kinds.ts';
import { qualifiedName } from '../core/link-names.ts';
import type { Body, BrakeReport, Header, Listed, Message, Reported, Traced } from '../core/message.ts';
import { readTraceparent } from '../core/trace.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { EventData } from './event-data.ts';
import { nameOfType, typed } from './event-type.ts';
import type { Attributes } from './event-writer.ts';
import type { LogRequest, ResourceRequest, ResourceResponse } from './live-request.ts';

/** The meaning of an event. */
export type Decoded =
  | { readonly is: 'message'; readonly message: Message }
  | ({ readonly is: 'resource-request'; readonly request: ResourceRequest; readonly number: number } & Traced)
  | ({ readonly is: 'resource-response'; readonly response: ResourceResponse; readonly number: number } & Traced)
  | ({ readonly is: 'log-request'; readonly request: LogRequest; readonly number: number } & Traced)
  /** It cannot be processed: the sender gets the reason. */
  | { readonly is: 'unknown'; readonly reason: string; readonly number: number }
  /** The codec itself answers with this event. */
  | { readonly is: 'reply'; readonly event: CloudEvent }
  /** The codec has processed it. */
  | { readonly is: 'handled' }
  /** It is acknowledged, and has no effect here. */
  | { readonly is: 'ignored'; readonly number: number };

/** The namespace in the name on the link of an object in the given namespace; undefined for the default namespace. */
export type NamespaceOf = (namespace: string | undefined) => string | undefined;
type NameOf = (object: MirroredObject) => string;

const kindOfTarget: Readonly<Record<string, MirroredKind>> = {
  application: 'Application',
  appproject: 'AppProject',
  repository: 'Repository',
  gpgkey: 'GPGKey',
};

/** Reads an event other than an acknowledgement. Throws if the data is not what the type requires. */
export function readEvent(
  { attributes, type }: CloudEvent,
  data: EventData,
  header: Header,
  namespaceOf: NamespaceOf = () => attributes['place'],
): Decoded {
  const { number } = header;
  const target = attributes['dataschema'] ?? '';
  const traceparent = readTraceparent(attributes['traceparent']);
  const trace = traceparent ? { trace: traceparent } : {};
  if (target === 'resource') return { ...readResource(type, data, number), ...trace };
  if (target === 'containerlog') return { is: 'log-request', number, request: readLogRequest(data), ...trace };
  const name = nameOfType(type);
  // argocd-agent reports the size of Argo CD's cluster cache.
  if (name === 'cluster-cache-info-update') return { is: 'ignored', number };
  const kind = Object.hasOwn(kindOfTarget, target) ? kindOfTarget[target] : undefined;
  const body = readBody(name, kind, data, attributes, namespaceOf);
  if (!body) return { is: 'unknown', number, reason: `unknown event type ${type} for target ${target || '(none)'}` };
  const label = `${number} ${name} ${attributes['subject'] ?? ''}`;
  return { is: 'message', message: { ...body, ...header, label, ...trace } };
}

function readBody(
  name: string,
  kind: MirroredKind | undefined,
  data: EventData,
  attributes: Attributes,
  namespaceOf: NamespaceOf,
): Body | undefined {
  const nameOf: NameOf = ({ metadata }) => qualifiedName(namespaceOf(metadata.namespace), metadata.name);
  switch (name) {
    case 'create':
    case 'spec-update':
      return kind && readUpsert(kind, objectOf(data), name === 'create', nameOf);
    case 'delete':
      return kind && readDeletion(kind, objectOf(data), attributes, nameOf);
    case 'status-update': {
      const object = objectOf(data);
      const uid = sourceUidOf(object) ?? object.metadata.uid ?? '';
      return { type: 'status', object, name: nameOf(object), uid };
    }
    case 'set-operation':
    case 'terminate-operation': {
      const object = objectOf(data);
      const { metadata, operation = {} } = object;
      const id = attributes['operationid'] ?? attributes['eventid'] ?? '';
      const type = name === 'set-operation' ? 'operation' : 'terminate';
      return { type, name: nameOf(object), uid: metadata.uid ?? '', id, operation };
    }
    case 'request-synced-resource-list':
      return { type: 'list-request', checksum: textAt(data, 'checksum'), content: textAt(data, 'content') };
    case 'response-synced-resource':
      return readList(data, namespaceOf);
    case 'request-update':
      return Array.isArray(data['items'])
        ? { type: 'verify-all', items: readItems(data) }
        : { type: 'verify', item: readListed(data, namespaceOf) };
    case 'request-resource-resync':
      return { type: 'resync' };
    case 'error': {
      const namespace = namespaceOf(textAt(data, 'resourceNamespace') || undefined);
      return {
        type: 'error',
        kind: kind ?? 'Application',
        name: qualifiedName(namespace, textAt(data, 'resourceName')),
        message: textAt(data, 'message'),
      };
    }
    case 'ping':
      // argocd-agent sends no report with its pings.
      return typeof data['applications'] === 'number' ? { type: 'ping', report: readReport(data) } : { type: 'ping' };
    case 'pong':
      return { type: 'pong', ...(typeof data['confirm'] === 'string' ? { confirm: data['confirm'] } : {}) };
    default:
      return undefined;
  }
}

function readResource(type: string, data: EventData, number: number): Decoded {
  if (type !== typed('response')) return { is: 'resource-request', number, request: readResourceRequest(type, data) };
  const { uuid, status, resource } = data;
  const response = { uuid: String(uuid), status: Number(status), body: String(resource ?? '') };
  return { is: 'resource-response', number, response };
}

/** An optional text of a request: left out if it is absent. */
const optional = <K extends string>(data: EventData, key: K): { readonly [key in K]?: string } | object => {
  const value = data[key];
  return typeof value === 'string' ? { [key]: value } : {};
};

const readResourceRequest = (method: string, data: EventData): ResourceRequest => ({
  uuid: textAt(data, 'uuid'),
  method,
  group: textAt(data, 'group'),
  version: textAt(data, 'version'),
  resource: textAt(data, 'resource'),
  ...optional(data, 'namespace'),
  ...optional(data, 'name'),
  ...optional(data, 'subresource'),
  ...(isJsonObject(data['params']) ? { params: stringsAt(data, 'params') } : {}),
  // Go writes bytes as base64.
  ...(textAt(data, 'body') ? { body: Buffer.from(textAt(data, 'body'), 'base64').toString() } : {}),
});

const readLogRequest = (data: EventData): LogRequest => ({
  uuid: textAt(data, 'uuid'),
  namespace: textAt(data, 'namespace'),
  podName: textAt(data, 'podName'),
  ...optional(data, 'container'),
  ...optional(data, 'sinceTime'),
  ...valuesOf(data, ['follow', 'timestamps', 'previous'], 'boolean'),
  ...valuesOf(data, ['tailLines', 'sinceSeconds', 'limitBytes'], 'number'),
});

/** Those of these values that have this type. */
const valuesOf = (data: EventData, keys: readonly string[], type: 'boolean' | 'number'): object =>
  Object.fromEntries(keys.flatMap((key) => (typeof data[key] === type ? [[key, data[key]]] : [])));

function readReport(data: EventData): Reported {
  const brake = readBrake(data['brake']);
  return {
    applications: numberAt(data, 'applications'),
    quarantined: listAt(data, 'quarantined').map((item) => ({
      kind: textAt(item, 'kind'),
      name: textAt(item, 'name'),
      reason: textAt(item, 'reason'),
    })),
    ...(brake ? { brake } : {}),
  };
}

const readBrake = (value: unknown): BrakeReport | undefined =>
  isJsonObject(value)
    ? { token: textAt(value, 'token'), deletions: numberAt(value, 'deletions'), of: numberAt(value, 'of') }
    : undefined;

function objectOf(data: unknown): MirroredObject {
  if (!isNamedObject(data)) throw new Error('it contains no object with a name');
  return data;
}

const isNamedObject = (value: unknown): value is MirroredObject => textAt(value, 'metadata', 'name') !== '';

const readUpsert = (kind: MirroredKind, object: MirroredObject, create: boolean, nameOf: NameOf): Body => ({
  type: 'upsert',
  kind,
  name: kind === 'Application' ? nameOf(object) : object.metadata.name,
  object,
  create,
});

function readDeletion(
  kind: MirroredKind,
  object: MirroredObject,
  { ordered, together }: Attributes,
  nameOf: NameOf,
): Body {
  return {
    type: 'delete',
    kind,
    name: kind === 'Application' ? nameOf(object) : object.metadata.name,
    uid: sourceUidOf(object) ?? object.metadata.uid ?? '',
    ...(ordered === undefined ? {} : { ordered: ordered === 'true' }),
    ...(together === undefined ? {} : { together: Number(together) }),
  };
}

function readList(data: EventData, namespaceOf: NamespaceOf): Body {
  if (!Array.isArray(data['items'])) return { type: 'verify', item: readListed(data, namespaceOf) };
  const { part, parts } = data;
  return {
    type: 'list',
    round: numberAt(data, 'round'),
    part: typeof part === 'number' ? part : 0,
    parts: typeof parts === 'number' ? parts : 1,
    items: readItems(data),
  };
}

/** Items of a Fairlead peer have their names on the link. */
const readItems = (data: EventData): Listed[] =>
  listAt(data, 'items').map((item) => {
    const kind = textAt(item, 'kind');
    if (!isMirroredKind(kind)) throw new Error(`unknown kind ${kind}`);
    const listed = { kind, name: textAt(item, 'name'), uid: textAt(item, 'uid'), content: textAt(item, 'content') };
    return { ...listed, ...textFields(item) };
  });

const textFields = (item: unknown): Pick<Listed, 'status' | 'plain'> => {
  const [status, plain] = [textAt(item, 'status'), textAt(item, 'plain')];
  return { ...(status ? { status } : {}), ...(plain ? { plain } : {}) };
};

function readListed(data: EventData, namespaceOf: NamespaceOf): Listed {
  const { kind, content, status } = data;
  if (!isMirroredKind(kind)) throw new Error(`unknown kind ${String(kind)}`);
  const name = textAt(data, 'name');
  const namespace = namespaceOf(textAt(data, 'namespace') || undefined);
  return {
    kind,
    name: kind === 'Application' ? qualifiedName(namespace, name) : name,
    uid: textAt(data, 'uid'),
    content: typeof content === 'string' ? content : textAt(data, 'checksum'),
    ...(typeof status === 'string' ? { status } : {}),
  };
}
