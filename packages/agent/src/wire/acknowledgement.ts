import { listAt } from '@fairlead/apimachinery';
import type { Body, Message, Traced } from '../core/message.ts';
import { readTraceparent } from '../core/trace.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { EventNumbers } from './event-numbers.ts';
import { typed } from './event-type.ts';
import { type Attributes, type EventWriter, traceparent } from './event-writer.ts';

export type Processed = Body & { readonly type: 'processed' };

/** Encodes a `processed` message: with the ids of an event that had no number, or with its number. */
export function encodeProcessed(
  writer: EventWriter,
  numbers: EventNumbers,
  { of, error, equal, also, epoch, trace }: Processed & Traced & { readonly epoch: string },
): CloudEvent {
  const foreign = numbers.take(of);
  const ids = foreign ?? { eventid: String(of), resourceid: String(of) };
  const sequence: Attributes = foreign ? {} : { sequence: `${epoch || 'answer'}:${of}` };
  const data = { ...(error ? { error } : {}), ...(equal ? { equal } : {}), ...(also ? { also } : {}) };
  const attributes = { ...sequence, ...traceparent(trace) };
  const content = Object.keys(data).length > 0 ? data : undefined;
  return writer.event(typed('processed'), 'eventProcessed', ids, attributes, content);
}

/** The `processed` message of an event that acknowledges the number `of`. */
export function readProcessed(
  of: number,
  number: number,
  attributes: Attributes,
  data: Readonly<Record<string, unknown>>,
): Message & Processed {
  const trace = readTraceparent(attributes['traceparent']);
  const also = listAt(data, 'also').filter((value) => typeof value === 'number');
  return {
    type: 'processed',
    of,
    ...(typeof data['error'] === 'string' ? { error: data['error'] } : {}),
    ...(data['equal'] === true ? { equal: true } : {}),
    ...(also.length > 0 ? { also } : {}),
    epoch: '',
    number,
    label: `processed ${of}`,
    ...(trace ? { trace } : {}),
  };
}
