import { formatGoDuration, parseGoDuration } from '@fairlead/apimachinery';
import { type Overload, overload, perCharacter } from '../overloads.ts';
import {
  CelError,
  Duration,
  integer,
  type List,
  type MapValue,
  Timestamp,
  type TypeValue,
  typeOfValue,
  Uint,
  type Value,
} from '../values.ts';
import { formatTimestamp, parseTimestamp } from './time.ts';

const codePoints = (text: string): bigint => BigInt([...text].length);

function toInt(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

function parseInteger(text: string): bigint {
  if (!/^[+-]?\d{1,20}$/.test(text)) throw new CelError(`type conversion error from 'string' to 'int'`);
  return integer(BigInt(text.replace(/^\+/, '')));
}

function parseDouble(text: string): number {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?(Inf|Infinity|NaN)$/i.test(text) || text.length > 400)
    throw new CelError(`type conversion error from 'string' to 'double'`);
  if (/nan/i.test(text)) return Number.NaN;
  return /inf/i.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);
}

/** The shortest form of Go: `1`, `0.5`, `1e+21`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

function parseBool(text: string): boolean {
  if (['true', 'TRUE', 'True', '1', 't'].includes(text)) return true;
  if (['false', 'FALSE', 'False', '0', 'f'].includes(text)) return false;
  throw new CelError(`type conversion error from 'string' to 'bool'`);
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function toDuration(text: string): Duration {
  const nanos = parseGoDuration(text);
  if (nanos === undefined) throw new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
  return new Duration(nanos);
}

export const conversions: Overload[] = [
  overload('dyn(A): dyn', (value: Value) => value),
  overload('type(A): type', (value: Value): TypeValue => typeOfValue(value)),
  overload('int(int): int', (v: bigint) => v),
  overload('int(uint): int', (v: Uint) => integer(v.value)),
  overload('int(double): int', toInt),
  overload('int(string): int', parseInteger),
  overload('int(timestamp): int', (v: Timestamp) => v.nanos / 1_000_000_000n),
  overload('int(duration): int', (v: Duration) => v.nanos),
  overload('uint(uint): uint', (v: Uint) => v),
  overload('uint(int): uint', (v: bigint) => new Uint(v)),
  overload('uint(double): uint', (v: number) => new Uint(BigInt(Math.trunc(Number.isFinite(v) ? v : -1)))),
  overload('uint(string): uint', (v: string) => new Uint(/^\d{1,20}$/.test(v) ? BigInt(v) : -1n)),
  overload('double(double): double', (v: number) => v),
  overload('double(int): double', (v: bigint) => Number(v)),
  overload('double(uint): double', (v: Uint) => Number(v.value)),
  overload('double(string): double', parseDouble),
  overload('bool(bool): bool', (v: boolean) => v),
  overload('bool(string): bool', parseBool),
  overload('string(string): string', (v: string) => v),
  overload('string(bool): string', (v: boolean) => String(v)),
  overload('string(int): string', (v: bigint) => String(v)),
  overload('string(uint): string', (v: Uint) => String(v.value)),
  overload('string(double): string', formatDouble),
  overload('string(bytes): string', decodeText, perCharacter),
  overload('string(timestamp): string', (v: Timestamp) => formatTimestamp(v)),
  overload('string(duration): string', (v: Duration) => formatGoDuration(v.nanos)),
  overload('bytes(bytes): bytes', (v: Uint8Array) => v),
  overload('bytes(string): bytes', (v: string) => new TextEncoder().encode(v), perCharacter),
  overload('duration(duration): duration', (v: Duration) => v),
  overload('duration(string): duration', toDuration),
  overload('duration(int): duration', (v: bigint) => new Duration(v)),
  overload('timestamp(timestamp): timestamp', (v: Timestamp) => v),
  overload('timestamp(string): timestamp', parseTimestamp),
  overload('timestamp(int): timestamp', (v: bigint) => new Timestamp(v * 1_000_000_000n)),
  ...(['size(T): int', 'T.size(): int'] as const).flatMap((form) => [
    overload(form.replace('T', 'string'), (v: string) => codePoints(v), perCharacter),
    overload(form.replace('T', 'bytes'), (v: Uint8Array) => BigInt(v.length)),
    overload(form.replace('T', 'list<A>'), (v: List) => BigInt(v.size)),
    overload(form.replace('T', 'map<A, B>'), (v: MapValue) => BigInt(v.size)),
  ]),
];
