import { kindInfo, type MirroredKind, type MirroredObject, sourceUidOf } from '../core/kinds.ts';
import { qualifiedName } from '../core/link-names.ts';
import type { Body, Header, Listed, Message, Reported, Traced } from '../core/message.ts';
import { readTraceparent } from '../core/trace.ts';
import type { CloudEvent } from './cloud-event.ts';
import { nameOfType, typed } from './event-type.ts';
import type { LogRequest, ResourceRequest, ResourceResponse } from './live-request.ts';

/** What an event turned out to be. */
export type Decoded =
  | { readonly is: 'message'; readonly message: Message }
  | ({ readonly is: 'resource-request'; readonly request: ResourceRequest; readonly number: number } & Traced)
  | ({ readonly is: 'resource-response'; readonly response: ResourceResponse; readonly number: number } & Traced)
  | ({ readonly is: 'log-request'; readonly request: LogRequest; readonly number: number } & Traced)
  /** It cannot be understood: the sender is told so, and goes on. */
  | { readonly is: 'unknown'; readonly reason: string; readonly number: number }
  /** It says what has changed in something that is not known here: the sender is to say all of it. */
  | { readonly is: 'unfounded'; readonly number: number }
  /** It was for the session alone. */
  | { readonly is: 'settled' }
  /** Nothing is done with it here. */
  | { readonly is: 'noted'; readonly number: number };

type Data = Readonly<Record<string, unknown>>;
type Attributes = Readonly<Record<string, string>>;
/** The namespace in which an Application of the peer's namespace is on both sides, unless it is in the usual one. */
export type PlaceOf = (namespace: string | undefined) => string | undefined;
type NameOf = (object: MirroredObject) => string;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const kindOfTarget: Readonly<Record<string, MirroredKind>> = {
  application: 'Application',
  appproject: 'AppProject',
  repository: 'Repository',
};

/** The meaning of an event whose data is `data`; throws where it has none. AcknowledgementBatch are left to the session, which knows the ids. */
export function readEvent(
  { attributes, type }: CloudEvent,
  data: Data,
  header: Header,
  placeOf: PlaceOf = () => attributes['place'],
): Decoded {
  const { number } = header;
  const target = attributes['dataschema'] ?? '';
  const trace = readTraceparent(attributes['traceparent']);
  const follows = trace ? { trace } : {};
  if (target === 'resource') return { ...readResource(type, data, number), ...follows };
  if (target === 'containerlog')
    return { is: 'log-request', number, request: data as unknown as LogRequest, ...follows };
  const name = nameOfType(type);
  // How full the cache of an Argo CD is.
  if (name === 'cluster-cache-info-update') return { is: 'noted', number };
  const body = readBody(name, kindOfTarget[target], data, attributes, placeOf);
  if (!body) return { is: 'unknown', number, reason: `unknown event type ${type} for target ${target || '(none)'}` };
  const label = `${number} ${name} ${attributes['subject'] ?? ''}`;
  return { is: 'message', message: { ...body, ...header, label, ...follows } };
}

function readBody(
  name: string,
  kind: MirroredKind | undefined,
  data: Data,
  attributes: Attributes,
  placeOf: PlaceOf,
): Body | undefined {
  const nameOf = ({ metadata }: MirroredObject): string => qualifiedName(placeOf(metadata.namespace), metadata.name);
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
      return {
        type: 'list-request',
        checksum: String(data['checksum'] ?? ''),
        content: String(data['content'] ?? ''),
      };
    case 'response-synced-resource':
      return readList(data, placeOf);
    case 'request-update':
      return Array.isArray(data['items'])
        ? { type: 'verify-all', items: data['items'] as Listed[] }
        : { type: 'verify', item: readListed(data, placeOf) };
    case 'request-resource-resync':
      return { type: 'resync' };
    case 'error':
      return {
        type: 'error',
        kind: kind ?? 'Application',
        name: qualifiedName(placeOf(textOf(data['resourceNamespace'])), String(data['resourceName'])),
        message: String(data['message']),
      };
    case 'ping':
      return { type: 'ping', report: { applications: 0, quarantined: [], ...(data as Partial<Reported>) } };
    case 'pong':
      return { type: 'pong', ...(typeof data['confirm'] === 'string' ? { confirm: data['confirm'] } : {}) };
    default:
      return undefined;
  }
}

function readResource(type: string, data: Data, number: number): Decoded {
  if (type !== typed('response')) {
    return { is: 'resource-request', number, request: { ...(data as unknown as ResourceRequest), method: type } };
  }
  const response = {
    uuid: String(data['uuid']),
    status: Number(data['status']),
    body: String(data['resource'] ?? ''),
  };
  return { is: 'resource-response', number, response };
}

function objectOf(data: Data): MirroredObject {
  const { metadata } = data as { metadata?: { name?: unknown } };
  if (typeof metadata?.name !== 'string' || metadata.name === '') throw new Error('it contains no object with a name');
  return data as unknown as MirroredObject;
}

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

const isKind = (kind: unknown): kind is MirroredKind => typeof kind === 'string' && Object.hasOwn(kindInfo, kind);

function readList(data: Data, placeOf: PlaceOf): Body {
  const { round, part, parts, items } = data as { round?: number; part?: number; parts?: number; items?: Listed[] };
  if (Array.isArray(items)) return { type: 'list', round: round ?? 0, part: part ?? 0, parts: parts ?? 1, items };
  return { type: 'verify', item: readListed(data, placeOf) };
}

function readListed(data: Data, placeOf: PlaceOf): Listed {
  const { kind, name, namespace, uid, content, status, checksum } = data;
  if (!isKind(kind)) throw new Error(`unknown kind ${String(kind)}`);
  const plain = typeof checksum === 'string' ? checksum : '';
  return {
    kind,
    name: kind === 'Application' ? qualifiedName(placeOf(textOf(namespace)), String(name)) : String(name),
    uid: String(uid ?? ''),
    content: typeof content === 'string' ? content : plain,
    ...(typeof status === 'string' ? { status } : {}),
  };
}
