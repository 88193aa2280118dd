import { formatFloat } from '../go-json/format-float.ts';
import { entriesOf, goJsonNumber, goJsonString, JsonError } from '../go-json/go-json.ts';
import { forbiddenCharacter } from './characters.ts';
import { Emitter, type EmitterNode, type EmitterOptions, type Scalar } from './emitter.ts';
import { compareKeys } from './key-order.ts';
import { parseYaml } from './parser.ts';
import { isOldBoolean, resolvePlain, type YamlVersion } from './resolve.ts';
import { YamlError } from './yaml-error.ts';

/**
 * Writes a value like sigs.k8s.io/yaml's `Marshal`: converts it to JSON, reads that as YAML, and writes it with goyaml.v2. Values are
 * null, booleans, numbers (float64), bigints (integers), strings, arrays, and objects or maps with text keys. Throws a `YamlError` if the
 * value has no JSON or cannot be read back.
 */
export function writeYaml(value: unknown): string {
  return new Emitter(v2, describeJson).document(value);
}

/** Writes a value like goyaml.v3, without converting it to JSON: a number is a float64, a bigint an integer. */
export function writeYamlPretty(value: unknown, options: Partial<EmitterOptions> = {}): string {
  return new Emitter({ ...v3, ...options }, describePlain).document(value);
}

const v2: EmitterOptions = { indent: 2, width: 80, sequences: 'flush', tabsInBlocks: false };
const v3: EmitterOptions = {
  indent: 2,
  width: Number.POSITIVE_INFINITY,
  sequences: 'indented',
  tabsInBlocks: true,
};

const token = (text: string): EmitterNode => ({ kind: 'scalar', scalar: { text, style: 'plain', tag: '' } });
const words = { null: token('null'), true: token('true'), false: token('false') };

function describeJson(value: unknown): EmitterNode {
  switch (typeof value) {
    case 'string':
      return { kind: 'scalar', scalar: stringScalar(throughJson(value), 'v2') };
    case 'number':
      return token(jsonNumberAsYaml(value));
    case 'bigint':
      return token(integerAsYaml(String(value), value));
    default:
      return describeOther(value, (key) => stringScalar(keyThroughJson(key), 'v2'), 'v2');
  }
}

function describePlain(value: unknown): EmitterNode {
  switch (typeof value) {
    case 'string':
      return { kind: 'scalar', scalar: stringScalar(value, 'v3') };
    case 'number':
      return token(floatAsYaml(value));
    case 'bigint':
      return token(String(value));
    default:
      return describeOther(value, (key) => stringScalar(key, 'v3'), 'v3');
  }
}

function describeOther(value: unknown, describeKey: (key: string) => Scalar, version: YamlVersion): EmitterNode {
  if (typeof value === 'boolean') return words[`${value}`];
  if (typeof value !== 'object' || value === null) return words.null;
  if (Array.isArray(value)) return { kind: 'sequence', items: value };
  const entries = entriesOf(value).sort(([a], [b]) => compareKeys(a, b, version));
  return { kind: 'map', entries: entries.map(([key, item]) => [describeKey(key), item]) };
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/u;

/** Text that would not be read as a string is quoted; multi-line text becomes a block. */
export function stringScalar(text: string, version: YamlVersion): Scalar {
  if (text.includes('\n')) return { text, style: 'literal', tag: '' };
  const plain =
    resolvePlain(text, version).type === 'str' && !base60.test(text) && !(version === 'v3' && isOldBoolean(text));
  return { text, style: plain ? 'plain' : 'double', tag: '' };
}

function jsonNumberAsYaml(value: number): string {
  const text = numberAsJson(value);
  return Number.isInteger(value) && !text.includes('e') ? integerAsYaml(text, value) : floatAsYaml(value);
}

function numberAsJson(value: number): string {
  try {
    return goJsonNumber(value);
  } catch (error) {
    if (error instanceof JsonError) throw new YamlError(`error marshaling into JSON: ${error.message}`);
    throw error;
  }
}

/** An integer that does not fit 64 bits is read back as a float. */
function integerAsYaml(text: string, value: number | bigint): string {
  const exact = text.length < 16 ? 0n : BigInt(text);
  if (exact >= 1n << 64n || exact < -(1n << 63n)) return floatAsYaml(Number(value));
  return text === '-0' ? '0' : text;
}

const specialFloats: Readonly<Record<string, string>> = { '+Inf': '.inf', '-Inf': '-.inf', NaN: '.nan' };
const floatAsYaml = (value: number): string => {
  const text = formatFloat(value);
  return specialFloats[text] ?? text;
};

/** Characters that JSON preserves and YAML does not: U+0085 is folded, control characters are errors. */
const unsafe = new RegExp(`${forbiddenCharacter.source}|\\x85`, 'u');

function throughJson(text: string): string {
  if (!unsafe.test(text)) return text;
  for (const node of parseYaml(goJsonString(text))) if (node.kind === 'scalar') return node.value;
  return text;
}

/** YAML recognises a key only if its `:` is within this distance. */
const maxKeyLength = 1024;

function keyThroughJson(text: string): string {
  if (text.length > maxKeyLength / 6 && [...goJsonString(text)].length > maxKeyLength)
    throw new YamlError("yaml: did not find expected ',' or '}'");
  return throughJson(text);
}
