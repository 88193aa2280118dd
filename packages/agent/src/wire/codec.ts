import { randomUUID } from 'node:crypto';
import { annotation, kindInfo, type MirroredKind, type MirroredObject } from '../core/kinds.ts';
import { splitName } from '../core/link-names.ts';
import type { Body, Listed, Message } from '../core/message.ts';
import { beginTrace, carryOn, readTraceparent } from '../core/trace.ts';
import type { Capabilities } from './capabilities.ts';
import type { CloudEvent } from './cloud-event.ts';
import { applyDelta, DeltaMemory, deltaOf } from './delta.ts';
import { nameOfType, typed } from './event-type.ts';
import type { LogRequest, ResourceRequest, ResourceResponse } from './live-request.ts';
import { type Decoded, type PlaceOf, readEvent } from './read-event.ts';

interface Ids {
  readonly eventid: string;
  readonly resourceid: string;
}

/**
 * Messages as CloudEvents and back, for one connection. Between two Fairlead ends each event carries its number; an event without
 * one gets a number here, so that its answer can name it by the ids that its sender knows.
 */
export class WireSession {
  readonly #source: string;
  readonly #fairlead: boolean;
  /** The peer's ids by the numbers given here. */
  readonly #foreign = new Map<number, Ids>();
  /** Our numbers by the event ids that the peer answers with. */
  readonly #own = new Map<string, number>();
  /** What last went out and came in, where objects go as what has changed in them. */
  readonly #sent: DeltaMemory | undefined;
  readonly #receive: DeltaMemory | undefined;
  readonly #hub: Readonly<Record<string, string>>;
  readonly #placeOf: PlaceOf | undefined;
  #numbers = 0;

  /**
   * `principalUid`: the hub's, told to agents of argocd-agent: without it they take an Application recreated for the old one. `placeOf`:
   * what their namespaces are to us.
   */
  constructor(
    source: string,
    { fairlead, deltas }: Pick<Capabilities, 'fairlead' | 'deltas'>,
    { principalUid, placeOf }: { readonly principalUid?: string; readonly placeOf?: PlaceOf } = {},
  ) {
    this.#placeOf = fairlead ? undefined : (placeOf ?? (() => undefined));
    this.#source = source;
    this.#hub = principalUid === undefined || fairlead ? {} : { principaluid: principalUid };
    this.#fairlead = fairlead;
    this.#sent = deltas ? new DeltaMemory() : undefined;
    this.#receive = deltas ? new DeltaMemory() : undefined;
  }

  encode(message: Message): CloudEvent[] {
    if (message.type === 'list' && !this.#fairlead)
      return message.items.map((item) => this.#plainListed(item, message.trace));
    // argocd-agent answers what it hears by itself, and does not know the others.
    if (!this.#fairlead && message.type === 'pong') return [];
    return [this.#encode(message)];
  }

  #encode(message: Message): CloudEvent {
    switch (message.type) {
      case 'upsert':
        return this.#object(
          message,
          message.create ? 'create' : 'spec-update',
          message.kind,
          message.object,
          placed(message.name),
        );
      case 'delete': {
        const { kind, name, uid, ordered, together } = message;
        const extra = {
          ...placed(name),
          ...(ordered === undefined ? {} : { ordered: String(ordered) }),
          ...(together === undefined ? {} : { together: String(together) }),
        };
        return this.#object(message, 'delete', kind, nameOnly(kind, name, uid), extra);
      }
      case 'status':
        return this.#object(message, 'status-update', 'Application', message.object, placed(message.name));
      case 'operation':
      case 'terminate': {
        const object = { ...nameOnly('Application', message.name, message.uid), operation: message.operation };
        return this.#object(
          message,
          message.type === 'operation' ? 'set-operation' : 'terminate-operation',
          'Application',
          object,
          { ...placed(message.name), operationid: message.id },
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
        const { plain, ...known } = message.item;
        const item = this.#fairlead ? known : { ...known, ...apart(known.name) };
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
        const { message: text, kind } = message;
        const { name, namespace = '' } = apart(message.name);
        return this.#plain(message, 'error', kindInfo[kind].target, {
          resourceName: name,
          resourceNamespace: namespace,
          message: text,
        });
      }
      case 'ping':
        return this.#plain(message, 'ping', 'heartbeat', message.report ?? {});
      case 'pong':
        return this.#plain(message, 'pong', 'heartbeat', message.confirm ? { confirm: message.confirm } : {});
    }
  }

  /** What is not of a link begins a trace too, and its answers carry it on. */
  encodeResourceRequest({ uuid, method, ...rest }: ResourceRequest): CloudEvent {
    const data = { uuid, method, name: '', ...rest };
    const begun = traceparent(beginTrace(randomUUID));
    return this.#event(method, 'resource', { eventid: uuid, resourceid: uuid }, begun, data);
  }

  encodeResourceResponse({ uuid, status, body }: ResourceResponse, trace?: string): CloudEvent {
    const ids = { eventid: uuid, resourceid: randomUUID() };
    return this.#event(typed('response'), 'resource', ids, follows(trace), { uuid, status, resource: body });
  }

  encodeLogRequest(request: LogRequest): CloudEvent {
    const ids = { eventid: request.uuid, resourceid: request.uuid };
    return this.#event('GET', 'containerlog', ids, traceparent(beginTrace(randomUUID)), request);
  }

  /** Asks for the whole of what was said as a change. */
  encodeUnfounded(number: number): CloudEvent {
    const ids = { eventid: String(number), resourceid: String(number) };
    return this.#event(typed('processed'), 'eventProcessed', ids, { sequence: `answer:${number}` }, { whole: true });
  }

  /** AcknowledgementBatch an event that is no message of a link. */
  encodeAnswer(
    number: number,
    { error, trace }: { readonly error?: string; readonly trace?: string } = {},
  ): CloudEvent {
    return this.#processed({
      type: 'processed',
      of: number,
      epoch: '',
      number: 0,
      label: '',
      ...(error ? { error } : {}),
      ...(trace ? { trace: carryOn(trace, randomUUID) } : {}),
    });
  }

  decode(event: CloudEvent): Decoded {
    const { sequence = '', eventid = '', resourceid = '' } = event.attributes;
    const [, epoch = '', digits = ''] = /^(.*):(\d+)$/u.exec(sequence) ?? [];
    const own = epoch !== '';
    const number = own ? Number(digits) : this.#foreignNumber({ eventid, resourceid });
    try {
      const data = this.#dataOf(event, number);
      if (data === undefined) return { is: 'unfounded', number };
      if (nameOfType(event.type) === 'processed') return this.#decodeAnswer(event.attributes, data, number);
      return readEvent(event, data, { epoch: own ? epoch : 'argocd-agent', number }, this.#placeOf);
    } catch (error) {
      return {
        is: 'unknown',
        number,
        reason: `cannot decode an event of type ${event.type}: ${(error as Error).message}`,
      };
    }
  }

  /** The data of an event, whole; undefined when it builds on what is not known here. */
  #dataOf({ data, type, attributes }: CloudEvent, number: number): Record<string, unknown> | undefined {
    if (data.length === 0) return {};
    const text = data.toString();
    const parsed = JSON.parse(text) as Record<string, unknown>;
    const { base, resourceid = '' } = attributes;
    if (!this.#receive || !isDelta(type)) return parsed;
    const subject = deltaSubject(type, attributes['dataschema'] ?? '', resourceid);
    if (base === undefined) {
      this.#receive.keep(subject, number, text);
      return parsed;
    }
    const known = this.#receive.find(subject);
    if (known?.number !== Number(base)) return undefined;
    const whole = applyDelta(JSON.parse(known.text) as Record<string, unknown>, parsed);
    this.#receive.keep(subject, number, JSON.stringify(whole));
    return whole;
  }

  #decodeAnswer(attributes: Readonly<Record<string, string>>, data: Record<string, unknown>, number: number): Decoded {
    const answer = this.#answer(attributes, data);
    if (data['whole'] !== true) {
      const trace = readTraceparent(attributes['traceparent']);
      return {
        is: 'message',
        message: { ...answer, epoch: '', number, label: `processed ${answer.of}`, ...(trace ? { trace } : {}) },
      };
    }
    // Not answered: it will be said again, and whole.
    this.#sent?.forgetNumber(answer.of);
    return { is: 'settled' };
  }

  #answer(
    attributes: Readonly<Record<string, string>>,
    data: Record<string, unknown>,
  ): Body & { readonly type: 'processed' } {
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

  #processed({ of, error, equal, also, epoch, trace }: Message & { type: 'processed' }): CloudEvent {
    const foreign = this.#foreign.get(of);
    this.#foreign.delete(of);
    const ids = foreign ?? { eventid: String(of), resourceid: String(of) };
    const extra: Record<string, string> = foreign ? {} : { sequence: `${epoch || 'answer'}:${of}` };
    const data = { ...(error ? { error } : {}), ...(equal ? { equal } : {}), ...(also ? { also } : {}) };
    return this.#event(
      typed('processed'),
      'eventProcessed',
      ids,
      { ...extra, ...traceparent(trace) },
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
      ...this.#marks(message),
      ...this.#hub,
      subject: `${namespace}/${name}`,
      sentat: new Date().toISOString(),
    };
    if (!this.#fairlead) this.#own.set(ids.eventid, message.number);
    const { target } = kindInfo[kind];
    const change = isDelta(typed(type)) ? this.#change(typed(type), target, ids, message.number, object) : undefined;
    if (!change) return this.#event(typed(type), target, ids, attributes, object);
    return this.#event(typed(type), target, ids, { ...attributes, base: String(change.base) }, change.delta);
  }

  /** What has changed in an object since it last went over the stream; undefined when it is better said whole. */
  #change(type: string, target: string, { resourceid }: Ids, number: number, object: MirroredObject) {
    if (!this.#sent) return undefined;
    const subject = deltaSubject(type, target, resourceid);
    const known = this.#sent.find(subject);
    const text = this.json(object);
    this.#sent.keep(subject, number, text);
    const delta = known && deltaOf(JSON.parse(known.text) as Record<string, unknown>, { ...object });
    return delta && JSON.stringify(delta).length < text.length / 2 ? { base: known.number, delta } : undefined;
  }

  #plain(message: Message, type: string, target: string, data: unknown): CloudEvent {
    const id = this.#fairlead ? String(message.number) : randomUUID();
    if (!this.#fairlead) this.#own.set(id, message.number);
    return this.#event(typed(type), target, { eventid: id, resourceid: id }, this.#marks(message), data);
  }

  #plainListed({ kind, name, uid }: Listed, trace: string | undefined): CloudEvent {
    const id = randomUUID();
    return this.#event(
      typed('response-synced-resource'),
      'resourceResync',
      { eventid: id, resourceid: id },
      traceparent(trace),
      { kind, ...apart(name), uid },
    );
  }

  #marks({ epoch, number, trace }: Message): Record<string, string> {
    return { sequence: `${epoch}:${number}`, ...traceparent(trace) };
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
    // What is left for later is said again, under another number.
    if (this.#foreign.size > foreignLimit) this.#foreign.delete(this.#foreign.keys().next().value!);
    return this.#numbers;
  }
}

const none = Buffer.alloc(0);
const foreignLimit = 20_000;

/** As CloudEvents' extension for distributed tracing has it. */
const follows = (trace: string | undefined): Record<string, string> => traceparent(trace && carryOn(trace, randomUUID));
const traceparent = (trace: string | undefined): Record<string, string> =>
  trace === undefined ? {} : { traceparent: trace };

const isDelta = (type: string): boolean => ['create', 'spec-update', 'status-update'].includes(nameOfType(type));
/** A state and a status of one object are two: the one is the source's, the other its mirror's. */
const deltaSubject = (type: string, target: string, resourceid: string): string =>
  `${nameOfType(type) === 'status-update' ? 'status' : 'state'} ${target} ${resourceid}`;

/** Where an Application is, if not in the default namespace. */
function placed(name: string): Record<string, string> {
  const { place } = splitName(name);
  return place === undefined ? {} : { place };
}

function apart(name: string): { readonly name: string; readonly namespace?: string } {
  const { place, plain } = splitName(name);
  return place === undefined ? { name: plain } : { name: plain, namespace: place };
}

const nameOnly = (kind: MirroredKind, name: string, uid: string): MirroredObject => ({
  apiVersion: kindInfo[kind].type.group
    ? `${kindInfo[kind].type.group}/${kindInfo[kind].type.version}`
    : kindInfo[kind].type.version,
  kind: kindInfo[kind].type.kind,
  metadata: { ...apart(name), uid, annotations: { [annotation.sourceUid]: uid } },
});
