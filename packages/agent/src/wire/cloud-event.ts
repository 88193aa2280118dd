import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { CloudEvent_CloudEventAttributeValue, CloudEvent as ProtoEvent } from './gen/cloudevent_pb.ts';
import { EventSchema } from './gen/eventstream_pb.ts';

/** A CloudEvent as the link uses it: attributes are strings, data is bytes. */
export interface CloudEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly data: Buffer;
}

const noData = Buffer.alloc(0);

/** Encodes the message `eventstreamapi.Event`. */
export function encodeEvent({ id, source, type, attributes, data }: CloudEvent): Uint8Array {
  const values: ProtoEvent['attributes'] = Object.create(null);
  for (const name of Object.keys(attributes)) values[name] = stringValue(attributes[name] ?? '');
  const event: ProtoEvent = {
    $typeName: 'io.cloudevents.v1.CloudEvent',
    id,
    source,
    specVersion: '1.0',
    type,
    attributes: values,
    data: data.length > 0 ? { case: 'binaryData', value: data } : { case: undefined },
  };
  return toBinary(EventSchema, { $typeName: 'eventstreamapi.Event', event });
}

const stringValue = (value: string): CloudEvent_CloudEventAttributeValue => ({
  $typeName: 'io.cloudevents.v1.CloudEvent.CloudEventAttributeValue',
  attr: { case: 'ceString', value },
});

export function decodeEvent(bytes: Uint8Array): CloudEvent {
  const { event } = fromBinary(EventSchema, bytes);
  if (!event) throw new Error('the message contains no event');
  // The peer chooses the names of attributes: `__proto__` must not set a prototype.
  const attributes: Record<string, string> = Object.create(null);
  for (const [name, { attr }] of Object.entries(event.attributes)) attributes[name] = textOf(attr);
  return { id: event.id, source: event.source, type: event.type, attributes, data: dataOf(event) };
}

/** argocd-agent writes strings; the other types are read so that a newer version of it is understood. */
function textOf(attr: CloudEvent_CloudEventAttributeValue['attr']): string {
  switch (attr.case) {
    case 'ceBytes':
      return Buffer.from(attr.value).toString();
    case 'ceTimestamp':
      return new Date(Number(attr.value.seconds) * 1000).toISOString();
    case undefined:
      return '';
    default:
      return String(attr.value);
  }
}

function dataOf({ data }: ProtoEvent): Buffer {
  switch (data.case) {
    case 'binaryData':
      return Buffer.from(data.value.buffer, data.value.byteOffset, data.value.byteLength);
    case 'textData':
      return Buffer.from(data.value);
    default:
      return noData;
  }
}
