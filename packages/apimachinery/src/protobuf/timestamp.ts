import { badRequest } from '../meta/api-error.ts';
import { formatTime } from '../meta/time.ts';
import type { WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** The range of RFC 3339: the years 0 to 9999. */
const firstSecond = Date.parse('0000-01-01T00:00:00Z') / 1000;
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Seconds and nanoseconds as RFC 3339 text, with microseconds for a micro-time; undefined for the zero time, an empty message. */
export function decodeTime(reader: WireReader, type: 'time' | 'micro-time'): string | undefined {
  if (reader.done) return undefined;
  let seconds = 0;
  let nanos = 0;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 0) seconds = Number(reader.int64());
    else if (number === 2 && wire === 0) nanos = reader.int32();
    else reader.skip(wire);
  }
  if (seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos >= 1e9) {
    throw badRequest('the body holds a time that is out of range');
  }
  const text = formatTime(seconds * 1000);
  if (type === 'time') return text;
  return text.replace('Z', `.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`);
}

/** The counterpart: an empty message for a text that is not a time. */
export function encodeTime(writer: WireWriter, text: string): void {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  writer.int(1, Math.floor(milliseconds / 1000));
  writer.int(2, Number(fraction.padEnd(9, '0').slice(0, 9)));
}
