import { randomUUID } from 'node:crypto';
import { messageOf } from '@fairlead/apimachinery';
import { kindInfo, type MirroredObject } from '../core/kinds.ts';
import type { Message } from '../core/message.ts';
import { carryOn } from '../core/trace.ts';
import { encodeProcessed, readProcessed } from './acknowledgement.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { Codec } from './codec.ts';
import { applyDelta, deltaOf, SentObjects } from './delta.ts';
import { parseData } from './event-data.ts';
import { EventNumbers, sequenceOf } from './event-numbers.ts';
import { nameOfType, typed } from './event-type.ts';
import { type EventIds, EventWriter } from './event-writer.ts';
import type { LogRequest, ResourceRequest, ResourceResponse } from './live-request.ts';
import {
  type DataPayload,
  dataPayload,
  type ObjectMessage,
  objectAttributes,
  objectIds,
  objectPayload,
  sequenceAttributes,
} from './payload.ts';
import { type Decoded, readEvent } from './read-event.ts';

/** Between two Fairlead sides: events carry their numbers, and objects are sent as deltas if both sides support it. */
export class FairleadCodec implements Codec {
  readonly #writer: EventWriter;
  /** Live requests and responses have no number. */
  readonly #numbers = new EventNumbers();
  readonly #sent: SentObjects | undefined;
  readonly #received: SentObjects | undefined;

  constructor(source: string, deltas: boolean) {
    this.#writer = new EventWriter(source, 'fairlead');
    this.#sent = deltas ? new SentObjects() : undefined;
    this.#received = deltas ? new SentObjects() : undefined;
  }

  encode(message: Message): CloudEvent[] {
    return [this.#encode(message)];
  }

  #encode(message: Message): CloudEvent {
    switch (message.type) {
      case 'upsert':
      case 'delete':
      case 'status':
      case 'operation':
      case 'terminate':
        return this.#encodeObject(message);
      case 'list': {
        const { round, part, parts, items } = message;
        const data = { round, part, parts, items };
        return this.#encodeData(message, { name: 'response-synced-resource', target: 'resourceResync', data });
      }
      case 'verify': {
        const { plain, ...item } = message.item;
        const data = { ...item, checksum: item.content === '' && !plain ? null : (plain ?? '') };
        return this.#encodeData(message, { name: 'request-update', target: 'resourceResync', data });
      }
      case 'pong': {
        const data = message.confirm ? { confirm: message.confirm } : {};
        return this.#encodeData(message, { name: 'pong', target: 'heartbeat', data });
      }
      case 'processed':
        return encodeProcessed(this.#writer, this.#numbers, message);
      default:
        return this.#encodeData(message, dataPayload(message));
    }
  }

  #encodeObject(message: ObjectMessage): CloudEvent {
    const { name, kind, object, attributes: extra } = objectPayload(message);
    const { target } = kindInfo[kind];
    const type = typed(name);
    const ids = objectIds(object);
    const attributes = { ...extra, ...sequenceAttributes(message), ...objectAttributes(object) };
    const delta = isDelta(type) ? this.#deltaOf(type, target, ids, message.number, object) : undefined;
    if (!delta) return this.#writer.event(type, target, ids, attributes, object);
    return this.#writer.event(type, target, ids, { ...attributes, base: String(delta.base) }, delta.changes);
  }

  #encodeData(message: Message, { name, target, data }: DataPayload): CloudEvent {
    const id = String(message.number);
    return this.#writer.event(typed(name), target, { eventid: id, resourceid: id }, sequenceAttributes(message), data);
  }

  /** The changes of an object since it was last sent on the stream; undefined if it is better sent whole. */
  #deltaOf(type: string, target: string, { resourceid }: EventIds, number: number, object: MirroredObject) {
    if (!this.#sent) return undefined;
    const subject = deltaSubject(type, target, resourceid);
    const known = this.#sent.find(subject);
    const text = this.#writer.json(object);
    this.#sent.keep(subject, number, text);
    const changes = known && deltaOf(parseData(known.text), { ...object });
    return changes && JSON.stringify(changes).length < text.length / 2 ? { base: known.number, changes } : undefined;
  }

  decode(event: CloudEvent): Decoded {
    const { attributes, type } = event;
    const sequence = sequenceOf(attributes);
    const number = sequence?.number ?? this.#numbers.assign(attributes);
    try {
      const data = this.#dataOf(event, number);
      if (data === undefined) return { is: 'reply', event: this.#encodeWholeRequest(number) };
      if (nameOfType(type) !== 'processed')
        return readEvent(event, data, { epoch: sequence?.epoch ?? 'argocd-agent', number });
      const of = sequence?.number ?? -1;
      if (data['whole'] !== true) return { is: 'message', message: readProcessed(of, number, attributes, data) };
      // Not acknowledged: the message will be sent again, with the whole object.
      this.#sent?.forgetNumber(of);
      return { is: 'handled' };
    } catch (error) {
      const reason = `cannot decode an event of type ${type}: ${messageOf(error)}`;
      return { is: 'unknown', number, reason };
    }
  }

  /** The data of an event; undefined if it is a delta to an object that is not known here. */
  #dataOf({ data, type, attributes }: CloudEvent, number: number): Readonly<Record<string, unknown>> | undefined {
    if (data.length === 0) return {};
    const text = data.toString();
    const parsed = parseData(text);
    const { base, resourceid = '', dataschema = '' } = attributes;
    if (!this.#received || !isDelta(type)) return parsed;
    const subject = deltaSubject(type, dataschema, resourceid);
    if (base === undefined) {
      this.#received.keep(subject, number, text);
      return parsed;
    }
    const known = this.#received.find(subject);
    if (known?.number !== Number(base)) return undefined;
    const whole = applyDelta(parseData(known.text), parsed);
    this.#received.keep(subject, number, JSON.stringify(whole));
    return whole;
  }

  /** Requests the whole object instead of a delta. */
  #encodeWholeRequest(number: number): CloudEvent {
    const ids = { eventid: String(number), resourceid: String(number) };
    const attributes = { sequence: `answer:${number}` };
    return this.#writer.event(typed('processed'), 'eventProcessed', ids, attributes, { whole: true });
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

const deltaEvents = new Set(['create', 'spec-update', 'status-update']);
const isDelta = (type: string): boolean => deltaEvents.has(nameOfType(type));

/** State and status of one object are separate: one comes from the source, the other from its mirror. */
const deltaSubject = (type: string, target: string, resourceid: string): string =>
  `${nameOfType(type) === 'status-update' ? 'status' : 'state'} ${target} ${resourceid}`;
