import { formatGoDuration } from '@fairlead/apimachinery';
import {
  CelError,
  Duration,
  List,
  MapValue,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values.ts';
import { formatDouble } from './conversions.ts';
import { formatTimestamp } from './time.ts';

/** `"%d of %s".format([1, "x"])`: the clauses of the string library of CEL. */
export function format(template: string, args: List): string {
  let next = 0;
  return template.replace(/%(?:\.(\d{1,3}))?(.|$)/gs, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= args.size) throw new CelError(`index ${next} out of range`);
    return clause(verb, args.at(next++), precision === undefined ? 6 : Number(precision));
  });
}

function clause(verb: string, value: Value, precision: number): string {
  switch (verb) {
    case 's':
      return shown(value);
    case 'd':
      if (typeof value === 'bigint' || value instanceof Uint || isSpecial(value)) return shown(value);
      break;
    case 'f':
      if (typeof value === 'number') return isSpecial(value) ? shown(value) : value.toFixed(Math.min(precision, 100));
      if (typeof value === 'bigint') return Number(value).toFixed(Math.min(precision, 100));
      break;
    case 'e':
      if (typeof value === 'number' && !isSpecial(value))
        return value.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2');
      if (typeof value === 'number') return shown(value);
      break;
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      if (typeof value === 'bigint' || value instanceof Uint) return numberOf(value).toString(2);
      break;
    case 'o':
      if (typeof value === 'bigint' || value instanceof Uint) return numberOf(value).toString(8);
      break;
    case 'x':
    case 'X': {
      const hex = hexOf(value);
      if (hex !== undefined) return verb === 'X' ? hex.toUpperCase() : hex;
      break;
    }
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
  throw new CelError(`error during formatting: invalid value for the clause %${verb}`);
}

const numberOf = (value: bigint | Uint): bigint => (typeof value === 'bigint' ? value : value.value);
const isSpecial = (value: Value): boolean => typeof value === 'number' && !Number.isFinite(value);

function hexOf(value: Value): string | undefined {
  if (typeof value === 'bigint' || value instanceof Uint) return numberOf(value).toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined;
}

/** The `%s` format of any value. */
export function shown(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? formatDouble(value)
      : Number.isNaN(value)
        ? 'NaN'
        : value > 0
          ? 'Infinity'
          : '-Infinity';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatGoDuration(value.nanos);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof List) return `[${[...value].map(shown).join(', ')}]`;
  if (value instanceof MapValue)
    return `{${[...value.entries()]
      .map(([k, v]) => `${shown(k)}: ${shown(v)}`)
      .sort()
      .join(', ')}}`;
  if (value instanceof ObjectValue)
    return `{${[...value.source.fields()]
      .sort()
      .map((f) => `${f}: ${shown(value.source.get(f) ?? null)}`)
      .join(', ')}}`;
  if (value instanceof Optional) return value.hasValue ? `optional(${shown(value.value)})` : 'optional.none()';
  throw new CelError('error during formatting: value cannot be shown');
}
