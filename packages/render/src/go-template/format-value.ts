import { type Flags, pad } from './format-flags.ts';
import { formatFloatVerb, formatInteger, formatUnicode } from './format-number.ts';
import { fromBytes, toBytes } from './go-string.ts';
import { byteSliceType, type GoType, isUnsigned } from './go-type.ts';
import {
  GoComplex,
  GoInt,
  GoMap,
  GoObject,
  GoSlice,
  type GoValue,
  isFunction,
  itemsOf,
  sortedKeys,
  typeOf,
} from './go-value.ts';
import { canBackquote, quoteRune, quoteString } from './quote.ts';

/** How many nested values, and how many levels, are printed: shared branches can make the output of a small value huge. */
const maxNodes = 1_000_000;
const maxDepth = 500;

export class FormatLimitError extends Error {}

/** One operand with one verb, as Go's fmt prints it. */
export function formatValue(value: GoValue, verb: string, flags: Flags): string {
  if (value === null || value === undefined) {
    return verb === 'v' || verb === 'T' ? pad('<nil>', flags) : `%!${verb}(<nil>)`;
  }
  if (verb === 'T') return formatText(typeOf(value)!.name, 's', flags)!;
  return new Formatter(flags).format(value, verb, 0);
}

class Formatter {
  private readonly flags: Flags;
  private nodes = 0;
  private erroring = false;

  constructor(flags: Flags) {
    this.flags = flags;
  }

  format(value: GoValue, verb: string, depth: number): string {
    if (++this.nodes > maxNodes || depth > maxDepth) throw new FormatLimitError('a value is too large to be printed');
    return this.formatKind(value, verb, depth) ?? this.badVerb(value, verb);
  }

  /** Undefined if the verb does not support the value. */
  private formatKind(value: GoValue, verb: string, depth: number): string | undefined {
    const { flags } = this;
    switch (typeof value) {
      case 'string':
        return formatText(value, verb, flags);
      case 'boolean':
        return verb === 't' || verb === 'v' ? pad(String(value), flags) : undefined;
      case 'number':
        return formatFloatKind(value, verb, flags);
      case 'undefined':
        return flags.sharpV ? 'interface {}(nil)' : '<nil>';
    }
    if (value === null) return flags.sharpV ? 'interface {}(nil)' : '<nil>';
    if (value instanceof GoObject && value.text && !flags.sharpV && 'sqvxX'.includes(verb) && !this.erroring)
      return formatText(value.text(), verb, flags);
    if (value instanceof GoInt) {
      if (value.type.text && !flags.sharpV && 'sqv'.includes(verb) && !this.erroring)
        return formatText(value.type.text(value.value), verb, flags);
      return formatIntKind(value, verb, flags);
    }
    if (value instanceof GoComplex) return this.formatComplex(value, verb);
    if (value instanceof GoMap) return this.formatMap(value, verb, depth);
    if (value instanceof GoObject) return this.formatStruct(value, verb, depth);
    if (isFunction(value)) return '0x0';
    return this.formatList(value, verb, depth);
  }

  private formatComplex(value: GoComplex, verb: string): string | undefined {
    if (!'vbgGxXfFeE'.includes(verb)) return undefined;
    const part = (n: number, flags: Flags): string => formatFloatKind(n, verb, flags)!;
    return `(${part(value.real, this.flags)}${part(value.imaginary, { ...this.flags, plus: true })}i)`;
  }

  private formatMap(map: GoMap, verb: string, depth: number): string {
    const { sharpV } = this.flags;
    const entries = sortedKeys(map).map(
      (key) => `${this.format(key, verb, depth + 1)}:${this.format(map.get(key), verb, depth + 1)}`,
    );
    return sharpV ? `${goName(map.type)}{${entries.join(', ')}}` : `map[${entries.join(' ')}]`;
  }

  private formatStruct(value: GoObject, verb: string, depth: number): string {
    const { sharpV, plusV } = this.flags;
    const fields = [...value.fields].map(([name, field]) => {
      const text = this.format(field, verb, depth + 1);
      return sharpV || plusV ? `${name}:${text}` : text;
    });
    const pointer = value.type.kind === 'ptr' && depth === 0 ? '&' : '';
    const name = value.type.kind === 'ptr' ? value.type.elem!.name : value.type.name;
    return sharpV ? `${pointer}${name}{${fields.join(', ')}}` : `${pointer}{${fields.join(' ')}}`;
  }

  private formatList(value: GoValue, verb: string, depth: number): string | undefined {
    const { flags } = this;
    const items = itemsOf(value)!;
    const type = typeOf(value)!;
    if (type.elem === byteSliceType.elem && value instanceof GoSlice) return this.formatByteList(value, verb);
    if (flags.sharpV) {
      if (value instanceof GoSlice && value.isNil) return `${goName(type)}(nil)`;
      return `${goName(type)}{${items.map((item) => this.format(item, verb, depth + 1)).join(', ')}}`;
    }
    return `[${items.map((item) => this.format(item, verb, depth + 1)).join(' ')}]`;
  }

  private formatByteList(value: GoSlice, verb: string): string | undefined {
    const { flags } = this;
    const bytes = value.items.map((item) => (item instanceof GoInt ? item.value : 0n));
    if (verb === 'v' || verb === 'd') {
      if (flags.sharpV) return `[]byte{${bytes.map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
      return `[${bytes.map((byte) => formatInteger(byte, 10, 'd', flags)).join(' ')}]`;
    }
    return formatText(fromBytes(Uint8Array.from(bytes, Number)), verb, flags);
  }

  private badVerb(value: GoValue, verb: string): string {
    this.erroring = true;
    const shown = this.formatKind(value, 'v', 0) ?? '';
    this.erroring = false;
    return `%!${verb}(${typeOf(value)!.name}=${shown})`;
  }
}

const goName = (type: GoType): string => type.name;

function formatText(text: string, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpV ? formatQuoted(text, flags) : pad(truncated(text, flags), flags);
    case 's':
      return pad(truncated(text, flags), flags);
    case 'q':
      return formatQuoted(text, flags);
    case 'x':
    case 'X':
      return formatHex(text, verb === 'X', flags);
    default:
      return undefined;
  }
}

const truncated = (text: string, { precision }: Flags): string =>
  precision === undefined || text.length <= precision ? text : [...text].slice(0, precision).join('');

function formatQuoted(text: string, flags: Flags): string {
  const cut = truncated(text, flags);
  if (flags.sharp && canBackquote(cut)) return pad(`\`${cut}\``, flags);
  return pad(quoteString(cut, flags.plus), flags);
}

function formatHex(text: string, upper: boolean, flags: Flags): string {
  let bytes: Uint8Array = toBytes(text);
  if (flags.precision !== undefined && flags.precision < bytes.length) bytes = bytes.subarray(0, flags.precision);
  if (bytes.length === 0) return pad('', { ...flags, zero: false });
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const prefix = flags.sharp ? '0x' : '';
  const hex = flags.space ? pairs.map((pair) => prefix + pair).join(' ') : prefix + pairs.join('');
  return pad(upper ? hex.toUpperCase() : hex, flags);
}

function formatFloatKind(value: number, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return formatFloatVerb(value, 'g', -1, flags);
    case 'b':
    case 'g':
    case 'G':
    case 'x':
    case 'X':
      return formatFloatVerb(value, verb, -1, flags);
    case 'f':
    case 'e':
    case 'E':
    case 'F':
      return formatFloatVerb(value, verb, 6, flags);
    default:
      return undefined;
  }
}

function formatIntKind({ value, type }: GoInt, verb: string, flags: Flags): string | undefined {
  const unsigned = isUnsigned(type.kind);
  switch (verb) {
    case 'v':
      if (flags.sharpV && unsigned) return formatInteger(value, 16, 'v', { ...flags, sharp: true });
      return formatInteger(value, 10, verb, flags);
    case 'd':
      return formatInteger(value, 10, verb, flags);
    case 'b':
      return formatInteger(value, 2, verb, flags);
    case 'o':
    case 'O':
      return formatInteger(value, 8, verb, flags);
    case 'x':
      return formatInteger(value, 16, verb, flags);
    case 'X':
      return formatInteger(value, 16, verb, flags, true);
    case 'c':
      return pad(runeOf(value), flags);
    case 'q':
      return pad(quoteRune(value, flags.plus), flags);
    case 'U':
      return formatUnicode(BigInt.asUintN(64, value), flags);
    default:
      return undefined;
  }
}

function runeOf(value: bigint): string {
  const valid = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
  return String.fromCodePoint(valid ? Number(value) : 0xfffd);
}
