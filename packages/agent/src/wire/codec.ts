import { randomUUID } from 'node:crypto';
import { annotation, kindInfo, type MirroredKind, type MirroredObject, sourceUidOf } from '../core/kinds.ts';
import type { Body, Listed, Message, Reported } from '../core/message.ts';
import type { CloudEvent } from './cloud-event.ts';

export const eventTypePrefix = 'io.argoproj.argocd-agent.event';
const typed = (name: string): string => `${eventTypePrefix}.${name}`;

/** A look at the agent's cluster through it. */
export interface ResourceRequest {
  readonly uuid: string;
  readonly method: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly params?: Readonly<Record<string, string>>;
}

export interface ResourceResponse {
  readonly uuid: string;
  readonly status: number;
  readonly body: string;
}

export interface LogRequest {
  readonly uuid: string;
  readonly namespace: string;
  readonly podName: string;
  readonly container?: string;
  readonly tailLines?: number;
}

/** What an event turned out to be. */
export type Decoded =
  | { readonly is: 'message'; readonly message: Message }
  | { readonly is: 'resource-request'; readonly request: ResourceRequest; readonly number: number }
  | { readonly is: 'resource-response'; readonly response: ResourceResponse; readonly number: number }
  | { readonly is: 'log-request'; readonly request: LogRequest; readonly number: number }
  /** It cannot be understood: the sender is told so, and goes on. */
  | { readonly is: 'unknown'; readonly reason: string; readonly number: number };

interface Ids {
  readonly eventid: string;
  readonly resourceid: string;
}

const kindOfTarget: Readonly<Record<string, MirroredKind>> = {
  application: 'Application',
  appproject: 'AppProject',
  repository: 'Repository',
};

/**
 * Messages as CloudEvents and back, for one connection. Between two Fairlead ends each event carries its number; an event without
 * one gets a number here, so that its answer can name it by the ids that its sender knows.
 */
export class WireSession {
  readonly #source: string;
  readonly #fairlead: boolean;
  /** The other end's ids by the numbers given here. */
  readonly #foreign = new Map<number, Ids>();
  /** Our numbers by the event ids that the other end answers with. */
  readonly #own = new Map<string, number>();
  #numbers = 0;

  constructor(source: string, fairlead: boolean) {
    this.#source = source;
    this.#fairlead = fairlead;
  }

  encode(message: Message): CloudEvent[] {
    if (message.type === 'list' && !this.#fairlead) return message.items.map((item) => this.#plainListed(item));
    // argocd-agent answers what it hears by itself, and does not know the others.
    if (!this.#fairlead && message.type === 'pong') return [];
    return [this.#encode(message)];
  }

  #encode(message: Message): CloudEvent {
    switch (message.type) {
      case 'upsert':
        return this.#object(message, message.create ? 'create' : 'spec-update', message.kind, message.object);
      case 'delete': {
        const { kind, name, uid, ordered, together } = message;
        const extra = {
          ...(ordered === undefined ? {} : { ordered: String(ordered) }),
          ...(together === undefined ? {} : { together: String(together) }),
        };
        return this.#object(message, 'delete', kind, nameOnly(kind, name, uid), extra);
      }
      case 'status':
        return this.#object(message, 'status-update', 'Application', message.object);
      case 'operation':
      case 'terminate': {
        const object = { ...nameOnly('Application', message.name, message.uid), operation: message.operation };
        return this.#object(
          message,
          message.type === 'operation' ? 'set-operation' : 'terminate-operation',
          'Application',
          object,
          { operationid: message.id },
        );
      }
      case 'list-request':
        return this.#plain(message, 'request-synced-resource-list', 'resourceResync', {
          checksum: message.checksum,
          content: message.content,
        });
      case 'list': {
        const { round, part, parts, items } = message;
        return this.#plain(message, 'response-synced-resource', 'resourceResync', { round, part, parts, items });
      }
      case 'verify': {
        const { plain, ...item } = message.item;
        const checksum = plain ?? '';
        return this.#plain(message, 'request-update', 'resourceResync', {
          ...item,
          checksum: item.content === '' && !plain ? null : checksum,
        });
      }
      case 'verify-all':
        return this.#plain(message, 'request-update', 'resourceResync', { items: message.items });
      case 'resync':
        return this.#plain(message, 'request-resource-resync', 'resourceResync', {});
      case 'processed':
        return this.#processed(message);
      case 'error': {
        const { name, message: text, kind } = message;
        return this.#plain(message, 'error', kindInfo[kind].target, {
          resourceName: name,
          resourceNamespace: '',
          message: text,
        });
      }
      case 'ping':
        return this.#plain(message, 'ping', 'heartbeat', message.report ?? {});
      case 'pong':
        return this.#plain(message, 'pong', 'heartbeat', message.confirm ? { confirm: message.confirm } : {});
    }
  }

  encodeResourceRequest({ uuid, method, ...rest }: ResourceRequest): CloudEvent {
    const data = { uuid, method, name: '', ...rest };
    return this.#event(method, 'resource', { eventid: uuid, resourceid: uuid }, {}, data);
  }

  encodeResourceResponse({ uuid, status, body }: ResourceResponse): CloudEvent {
    const ids = { eventid: uuid, resourceid: randomUUID() };
    return this.#event(typed('response'), 'resource', ids, {}, { uuid, status, resource: body });
  }

  encodeLogRequest(request: LogRequest): CloudEvent {
    return this.#event('GET', 'containerlog', { eventid: request.uuid, resourceid: request.uuid }, {}, request);
  }

  /** Answers an event that is no message of a link. */
  encodeAnswer(number: number, error?: string): CloudEvent {
    return this.#processed({
      type: 'processed',
      of: number,
      epoch: '',
      number: 0,
      label: '',
      ...(error ? { error } : {}),
    });
  }

  decode(event: CloudEvent): Decoded {
    const { sequence = '', eventid = '', resourceid = '' } = event.attributes;
    const [, epoch = '', digits = ''] = /^(.*):(\d+)$/u.exec(sequence) ?? [];
    const own = epoch !== '';
    const number = own ? Number(digits) : this.#foreignNumber({ eventid, resourceid });
    try {
      return this.#decode(event, { epoch: own ? epoch : 'argocd-agent', number });
    } catch (error) {
      return { is: 'unknown', number, reason: `${event.type} cannot be understood: ${(error as Error).message}` };
    }
  }

  #decode(event: CloudEvent, { epoch, number }: { epoch: string; number: number }): Decoded {
    const { attributes, type } = event;
    const target = attributes['dataschema'] ?? '';
    const unknown = (): Decoded => ({
      is: 'unknown',
      number,
      reason: `events of type ${type} to ${target || 'nobody'} are not known here`,
    });
    const data = event.data.length > 0 ? (JSON.parse(event.data.toString()) as Record<string, unknown>) : {};
    const message = (body: Body): Decoded => ({
      is: 'message',
      message: {
        ...body,
        epoch,
        number,
        label: `${number} ${type.slice(eventTypePrefix.length + 1)} ${attributes['subject'] ?? ''}`,
      },
    });
    if (target === 'resource') return this.#decodeResource(type, data, number);
    if (target === 'containerlog') return { is: 'log-request', number, request: data as unknown as LogRequest };
    const kind = kindOfTarget[target];
    switch (type.startsWith(`${eventTypePrefix}.`) ? type.slice(eventTypePrefix.length + 1) : '') {
      case 'create':
      case 'spec-update':
        return kind
          ? message({ type: 'upsert', kind, object: objectOf(data), create: type.endsWith('.create') })
          : unknown();
      case 'delete':
        return kind ? message(deletion(kind, objectOf(data), attributes)) : unknown();
      case 'status-update': {
        const object = objectOf(data);
        const uid = sourceUidOf(object) ?? object.metadata.uid ?? '';
        return message({ type: 'status', object, name: object.metadata.name, uid });
      }
      case 'set-operation':
      case 'terminate-operation': {
        const object = objectOf(data);
        const id = attributes['operationid'] ?? attributes['eventid'] ?? '';
        return message({
          type: type.endsWith('.set-operation') ? 'operation' : 'terminate',
          name: object.metadata.name,
          uid: object.metadata.uid ?? '',
          id,
          operation: object.operation ?? {},
        });
      }
      case 'request-synced-resource-list':
        return message({
          type: 'list-request',
          checksum: String(data['checksum'] ?? ''),
          content: String(data['content'] ?? ''),
        });
      case 'response-synced-resource':
        return message(listed(data));
      case 'request-update':
        return message(
          Array.isArray(data['items'])
            ? { type: 'verify-all', items: data['items'] as Listed[] }
            : { type: 'verify', item: verified(data) },
        );
      case 'request-resource-resync':
        return message({ type: 'resync' });
      case 'processed':
        return message(this.#answer(attributes, data));
      case 'error':
        return message({
          type: 'error',
          kind: kind ?? 'Application',
          name: String(data['resourceName']),
          message: String(data['message']),
        });
      case 'ping':
        return message({ type: 'ping', report: { applications: 0, quarantined: [], ...(data as Partial<Reported>) } });
      case 'pong':
        return message({ type: 'pong', ...(typeof data['confirm'] === 'string' ? { confirm: data['confirm'] } : {}) });
      default:
        return unknown();
    }
  }

  #decodeResource(type: string, data: Record<string, unknown>, number: number): Decoded {
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

  #answer(attributes: Readonly<Record<string, string>>, data: Record<string, unknown>): Body {
    const [, , digits] = /^(.*):(\d+)$/u.exec(attributes['sequence'] ?? '') ?? [];
    const of = digits === undefined ? (this.#own.get(attributes['eventid'] ?? '') ?? -1) : Number(digits);
    this.#own.delete(attributes['eventid'] ?? '');
    return {
      type: 'processed',
      of,
      ...(typeof data['error'] === 'string' ? { error: data['error'] } : {}),
      ...(data['equal'] === true ? { equal: true } : {}),
      ...(Array.isArray(data['also']) ? { also: data['also'] as number[] } : {}),
    };
  }

  #processed({ of, error, equal, also, epoch }: Message & { type: 'processed' }): CloudEvent {
    const foreign = this.#foreign.get(of);
    this.#foreign.delete(of);
    const ids = foreign ?? { eventid: String(of), resourceid: String(of) };
    const extra: Record<string, string> = foreign ? {} : { sequence: `${epoch || 'answer'}:${of}` };
    const data = { ...(error ? { error } : {}), ...(equal ? { equal } : {}), ...(also ? { also } : {}) };
    return this.#event(
      typed('processed'),
      'eventProcessed',
      ids,
      extra,
      Object.keys(data).length > 0 ? data : undefined,
    );
  }

  #object(
    message: Message,
    type: string,
    kind: MirroredKind,
    object: MirroredObject,
    extra: Record<string, string> = {},
  ): CloudEvent {
    const { name, namespace = '', uid = '', resourceVersion = '' } = object.metadata;
    const ids = { eventid: `${name}_${uid}_${resourceVersion}`, resourceid: `${name}_${uid}` };
    const attributes = {
      ...extra,
      ...this.#sequence(message),
      subject: `${namespace}/${name}`,
      sentat: new Date().toISOString(),
    };
    if (!this.#fairlead) this.#own.set(ids.eventid, message.number);
    return this.#event(typed(type), kindInfo[kind].target, ids, attributes, object);
  }

  #plain(message: Message, type: string, target: string, data: unknown): CloudEvent {
    const id = this.#fairlead ? String(message.number) : randomUUID();
    if (!this.#fairlead) this.#own.set(id, message.number);
    return this.#event(typed(type), target, { eventid: id, resourceid: id }, this.#sequence(message), data);
  }

  #plainListed({ kind, name, uid }: Listed): CloudEvent {
    const id = randomUUID();
    return this.#event(
      typed('response-synced-resource'),
      'resourceResync',
      { eventid: id, resourceid: id },
      {},
      { kind, name, uid },
    );
  }

  #sequence({ epoch, number }: Message): Record<string, string> {
    return { sequence: `${epoch}:${number}` };
  }

  #event(
    type: string,
    target: string,
    ids: Ids,
    attributes: Readonly<Record<string, string>>,
    data: unknown,
  ): CloudEvent {
    return {
      id: this.#fairlead ? ids.eventid : randomUUID(),
      source: this.#source,
      type,
      attributes: {
        dataschema: target,
        ...(this.#fairlead ? {} : { datacontenttype: 'application/json' }),
        ...attributes,
        ...ids,
      },
      data: data === undefined ? none : Buffer.from(this.json(data)),
    };
  }

  /** A large object is written once, though its size is asked for before it is sent. */
  json(data: unknown): string {
    if (this.#lastWritten?.data === data) return this.#lastWritten!.text;
    const text = JSON.stringify(data);
    this.#lastWritten = { data, text };
    return text;
  }

  #lastWritten: { readonly data: unknown; readonly text: string } | undefined;

  #foreignNumber(ids: Ids): number {
    this.#numbers += 1;
    this.#foreign.set(this.#numbers, ids);
    return this.#numbers;
  }
}

const none = Buffer.alloc(0);

function objectOf(data: Record<string, unknown>): MirroredObject {
  const { metadata } = data as { metadata?: { name?: unknown } };
  if (typeof metadata?.name !== 'string' || metadata.name === '') throw new Error('it holds no object with a name');
  return data as unknown as MirroredObject;
}

function deletion(kind: MirroredKind, object: MirroredObject, attributes: Readonly<Record<string, string>>): Body {
  const { ordered, together } = attributes;
  return {
    type: 'delete',
    kind,
    name: object.metadata.name,
    uid: sourceUidOf(object) ?? object.metadata.uid ?? '',
    ...(ordered === undefined ? {} : { ordered: ordered === 'true' }),
    ...(together === undefined ? {} : { together: Number(together) }),
  };
}

const isKind = (kind: unknown): kind is MirroredKind => typeof kind === 'string' && Object.hasOwn(kindInfo, kind);

function listed(data: Record<string, unknown>): Body {
  const { round, part, parts, items } = data as { round?: number; part?: number; parts?: number; items?: Listed[] };
  if (Array.isArray(items)) return { type: 'list', round: round ?? 0, part: part ?? 0, parts: parts ?? 1, items };
  return { type: 'verify', item: verified(data) };
}

function verified(data: Record<string, unknown>): Listed {
  const { kind, name, uid, content, status, checksum } = data;
  if (!isKind(kind)) throw new Error(`the kind ${String(kind)} is not known`);
  const plain = typeof checksum === 'string' ? checksum : '';
  return {
    kind,
    name: String(name),
    uid: String(uid ?? ''),
    content: typeof content === 'string' ? content : plain,
    ...(typeof status === 'string' ? { status } : {}),
  };
}

const nameOnly = (kind: MirroredKind, name: string, uid: string): MirroredObject => ({
  apiVersion: kindInfo[kind].type.group
    ? `${kindInfo[kind].type.group}/${kindInfo[kind].type.version}`
    : kindInfo[kind].type.version,
  kind: kindInfo[kind].type.kind,
  metadata: { name, uid, annotations: { [annotation.sourceUid]: uid } },
});
