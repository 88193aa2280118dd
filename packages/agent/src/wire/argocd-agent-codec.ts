import { randomUUID } from 'node:crypto';
import { messageOf } from '@fairlead/apimachinery';
import { kindInfo } from '../core/kinds.ts';
import type { Listed, Message } from '../core/message.ts';
import { carryOn } from '../core/trace.ts';
import { encodeProcessed, readProcessed } from './acknowledgement.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { Codec, CodecOptions } from './codec.ts';
import { parseData } from './event-data.ts';
import { EventNumbers, sequenceOf } from './event-numbers.ts';
import { nameOfType, typed } from './event-type.ts';
import { type Attributes, EventWriter, traceparent } from './event-writer.ts';
import type { LogRequest, ResourceRequest, ResourceResponse } from './live-request.ts';
import {
  type DataPayload,
  dataPayload,
  type ObjectMessage,
  objectAttributes,
  objectIds,
  objectPayload,
  separateNames,
  sequenceAttributes,
} from './payload.ts';
import { type Decoded, type NamespaceOf, readEvent } from './read-event.ts';

/** With a peer of argocd-agent: events are identified by ids, and lists are sent one object at a time. */
export class ArgocdAgentCodec implements Codec {
  readonly #writer: EventWriter;
  /** Numbers of the peer's events. */
  readonly #numbers = new EventNumbers();
  /** Our numbers, by the event ids with which the peer acknowledges. */
  readonly #sent = new Map<string, number>();
  readonly #hub: Attributes;
  readonly #namespaceOf: NamespaceOf;

  constructor(source: string, { principalUid, namespaceOf = () => undefined }: CodecOptions) {
    this.#writer = new EventWriter(source, 'argocd-agent');
    this.#hub = principalUid === undefined ? {} : { principaluid: principalUid };
    this.#namespaceOf = namespaceOf;
  }

  encode(message: Message): CloudEvent[] {
    switch (message.type) {
      case 'upsert':
      case 'delete':
      case 'status':
      case 'operation':
      case 'terminate':
        return [this.#encodeObject(message)];
      case 'list':
        return message.items.map((item) => this.#encodeListed(item, message.trace));
      case 'verify': {
        const { plain, ...known } = message.item;
        const checksum = known.content === '' && !plain ? null : (plain ?? '');
        const data = { ...known, ...separateNames(known.name), checksum };
        return [this.#encodeData(message, { name: 'request-update', target: 'resourceResync', data })];
      }
      case 'processed':
        return [encodeProcessed(this.#writer, this.#numbers, message)];
      // argocd-agent acknowledges a ping itself, and does not know pong.
      case 'pong':
        return [];
      default:
        return [this.#encodeData(message, dataPayload(message))];
    }
  }

  #encodeObject(message: ObjectMessage): CloudEvent {
    const { name, kind, object, attributes: extra } = objectPayload(message);
    const ids = objectIds(object);
    this.#sent.set(ids.eventid, message.number);
    const attributes = { ...extra, ...sequenceAttributes(message), ...this.#hub, ...objectAttributes(object) };
    return this.#writer.event(typed(name), kindInfo[kind].target, ids, attributes, object);
  }

  #encodeData(message: Message, { name, target, data }: DataPayload): CloudEvent {
    const id = randomUUID();
    this.#sent.set(id, message.number);
    return this.#writer.event(typed(name), target, { eventid: id, resourceid: id }, sequenceAttributes(message), data);
  }

  #encodeListed({ kind, name, uid }: Listed, trace: string | undefined): CloudEvent {
    const id = randomUUID();
    const ids = { eventid: id, resourceid: id };
    const data = { kind, ...separateNames(name), uid };
    return this.#writer.event(typed('response-synced-resource'), 'resourceResync', ids, traceparent(trace), data);
  }

  decode(event: CloudEvent): Decoded {
    const { attributes, type } = event;
    const sequence = sequenceOf(attributes);
    const number = sequence?.number ?? this.#numbers.assign(attributes);
    try {
      const data = event.data.length === 0 ? {} : parseData(event.data.toString());
      if (nameOfType(type) !== 'processed')
        return readEvent(event, data, { epoch: sequence?.epoch ?? 'argocd-agent', number }, this.#namespaceOf);
      const of = this.#acknowledged(attributes, sequence?.number);
      return { is: 'message', message: readProcessed(of, number, attributes, data) };
    } catch (error) {
      const reason = `cannot decode an event of type ${type}: ${messageOf(error)}`;
      return { is: 'unknown', number, reason };
    }
  }

  /** The number of our message that an event acknowledges; -1 for an unknown one. */
  #acknowledged({ eventid = '' }: Attributes, number: number | undefined): number {
    const sent = this.#sent.get(eventid);
    this.#sent.delete(eventid);
    return number ?? sent ?? -1;
  }

  encodeAcknowledgement(number: number, { error, trace }: { error?: string; trace?: string } = {}): CloudEvent {
    return encodeProcessed(this.#writer, this.#numbers, {
      type: 'processed',
      of: number,
      epoch: '',
      ...(error ? { error } : {}),
      ...(trace ? { trace: carryOn(trace, randomUUID) } : {}),
    });
  }

  encodeResourceRequest(request: ResourceRequest): CloudEvent {
    return this.#writer.resourceRequest(request);
  }

  encodeResourceResponse(response: ResourceResponse, trace?: string): CloudEvent {
    return this.#writer.resourceResponse(response, trace);
  }

  encodeLogRequest(request: LogRequest): CloudEvent {
    return this.#writer.logRequest(request);
  }

  sizeOf(object: unknown): number {
    return this.#writer.json(object).length;
  }
}
