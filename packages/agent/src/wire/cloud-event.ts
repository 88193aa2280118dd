import { ProtoWriter, readProto } from './protobuf.ts';

/** A CloudEvent, as far as it is used: attributes are strings, data is bytes. */
export interface CloudEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly data: Buffer;
}

/** The message `eventstreamapi.Event`: a CloudEvent in field 1. */
export function encodeEvent({ id, source, type, attributes, data }: CloudEvent): Buffer {
  return new ProtoWriter()
    .message(1, (event) => {
      event.string(1, id).string(2, source).string(3, '1.0').string(4, type);
      for (const name in attributes) event.bytes(5, encodeAttribute(name, attributes[name]!));
      if (data.length > 0) event.bytes(6, data);
    })
    .finish();
}

/** An entry of the map of attributes. Each event has eight: those that are short, as all are, are written in one go. */
function encodeAttribute(name: string, value: string): Buffer {
  const [names, values] = [Buffer.byteLength(name), Buffer.byteLength(value)];
  if (names > 127 || values > 125)
    return new ProtoWriter()
      .string(1, name)
      .message(2, (attribute) => attribute.bytes(3, Buffer.from(value)))
      .finish();
  const bytes = Buffer.allocUnsafe(names + values + 6);
  bytes[0] = 0x0a;
  bytes[1] = names;
  bytes.write(name, 2);
  bytes[names + 2] = 0x12;
  bytes[names + 3] = values + 2;
  bytes[names + 4] = 0x1a;
  bytes[names + 5] = values;
  bytes.write(value, names + 6);
  return bytes;
}

export function decodeEvent(bytes: Buffer): CloudEvent {
  for (const { field, value } of readProto(bytes))
    if (field === 1 && typeof value !== 'number') return decodeCloudEvent(value);
  throw new Error('the message holds no event');
}

function decodeCloudEvent(bytes: Buffer): CloudEvent {
  const texts: string[] = [];
  // Names come from the other end: `__proto__` is one like any other.
  const attributes = Object.create(null) as Record<string, string>;
  let data: Buffer = Buffer.alloc(0);
  for (const { field, value } of readProto(bytes)) {
    if (typeof value === 'number') continue;
    if (field === 5) {
      const [name, text] = decodeAttribute(value);
      attributes[name] = text;
    } else if (field === 6 || field === 7) data = value;
    else texts[field] = value.toString();
  }
  return { id: texts[1] ?? '', source: texts[2] ?? '', type: texts[4] ?? '', attributes, data };
}

/** Strings stand in 3, addresses in 5 and 6; whoever wrote them may have meant either. */
function decodeAttribute(bytes: Buffer): [string, string] {
  const names = bytes[1] ?? 0;
  const values = bytes[names + 5] ?? 0;
  // As it is written above.
  const isPlain = names < 128 && values < 126 && bytes.length === names + values + 6 && bytes[names + 3] === values + 2;
  if (isPlain && bytes[0] === 0x0a && bytes[names + 2] === 0x12 && bytes[names + 4] === 0x1a)
    return [bytes.toString('utf8', 2, names + 2), bytes.toString('utf8', names + 6)];
  let name = '';
  let text = '';
  for (const { field, value } of readProto(bytes)) {
    if (typeof value === 'number') continue;
    if (field === 1) name = value.toString();
    else
      for (const inner of readProto(value))
        text = typeof inner.value === 'number' ? String(inner.value) : inner.value.toString();
  }
  return [name, text];
}
