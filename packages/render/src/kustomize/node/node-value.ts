import { formatFloat } from '../../go-json/format-float.ts';
import { goJsonNumber } from '../../go-json/go-json.ts';
import { setKey } from '../../go-yaml/decode.ts';
import { quote } from '../../go-yaml/go-syntax.ts';
import { refolded } from '../../go-yaml/refold.ts';
import { type Resolved, resolvePlain } from '../../go-yaml/resolve.ts';
import { possibleStyle, scalarForms } from '../../go-yaml/scalar-style.ts';
import { timestampAsJson } from '../../go-yaml/timestamp.ts';
import type { ScalarStyle } from '../../go-yaml/token.ts';
import { stringScalar } from '../../go-yaml/write-yaml.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { Node } from './node.ts';

/**
 * The value of a node after it is written and read again, which is when a created scalar gets its type. Integers that a number cannot
 * represent are bigints.
 */
export const nodeValue = (node: Node): unknown => valueIn(node, false);

function valueIn(node: Node, inFlow: boolean): unknown {
  switch (node.kind) {
    case 'scalar':
      return scalarValue(node, inFlow);
    case 'sequence':
      return node.items.map((item) => valueIn(item, inFlow || node.flow));
    case 'map':
      return mapValue(node, inFlow, false);
  }
}

/** Like `nodeValue`, for a whole object. */
export const objectValue = (node: Node): Record<string, unknown> => mapValue(node, false, true);

function mapValue(node: Node, outerFlow: boolean, atTop: boolean): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  const inFlow = outerFlow || node.flow;
  for (const { key, value } of node.entries) {
    if (key.kind !== 'scalar') throw new KustomizeError('yaml: invalid map key');
    if (Object.hasOwn(map, key.value))
      throw new KustomizeError(`yaml: unmarshal errors: mapping key ${quote(key.value)} already defined`);
    if (!atTop && writtenScalar(key, inFlow).type !== 'str')
      throw new KustomizeError(
        `json: unsupported type: map[interface {}]interface {} (the key ${key.value} is not a string)`,
      );
    setKey(map, key.value, valueIn(value, inFlow));
  }
  return map;
}

function scalarValue(node: Node, inFlow: boolean): unknown {
  const written = writtenScalar(node, inFlow);
  switch (written.type) {
    case 'null':
      return null;
    case 'timestamp':
      return timestampAsJson(written.value);
    case 'float':
      if (!Number.isFinite(written.value))
        throw new KustomizeError(`json: unsupported value: ${formatFloat(written.value)}`);
      return written.value;
    default:
      return written.value;
  }
}

/** A scalar as it is read after it has been written. */
function writtenScalar(node: Node, inFlow: boolean): Resolved {
  const { tag } = node;
  const value = !inFlow && isBlock(node) ? blockValue(node) : node.value;
  if (node.tagged && tag !== '') return withTag(tag, value);
  if (tag === '!!str') return { type: 'str', value };
  if (node.style !== 'plain' || value.includes('\n')) return { type: 'str', value };
  const resolved = resolvePlain(value, 'v3');
  if (tag !== '' && tag !== `!!${resolved.type}`) {
    if (tag === '!!merge' && value === '<<') return { type: 'str', value };
    return withTag(tag, value);
  }
  // A value that must be quoted, such as empty text inside braces, is text once it is written.
  const forms = scalarForms(value, true);
  return (inFlow ? forms.flowPlain : forms.plain) ? resolved : { type: 'str', value };
}

/** Whether the text is written as a literal block. */
const isBlock = ({ style, value }: Node): boolean =>
  (style === 'literal' || style === 'folded' || (style === 'plain' && value.includes('\n'))) &&
  scalarForms(value, true).block;

function blockValue({ style, value }: Node): string {
  // It cannot be distinguished from the indentation of the block.
  if (value.startsWith('\t'))
    throw new KustomizeError('yaml: found a tab character where an indentation space is expected');
  return style === 'folded' ? refolded(value) : value;
}

const typed = new Set(['!!bool', '!!int', '!!float', '!!null', '!!timestamp']);

function withTag(tag: string, value: string): Resolved {
  if (tag === '!!binary') return { type: 'str', value: Buffer.from(value, 'base64').toString() };
  if (!typed.has(tag)) return { type: 'str', value };
  const resolved = resolvePlain(value, 'v3');
  if (`!!${resolved.type}` === tag) return resolved;
  if (tag === '!!float' && resolved.type === 'int') return { type: 'float', value: Number(resolved.value) };
  throw new KustomizeError(`yaml: cannot decode !!${resolved.type} \`${value}\` as a ${tag}`);
}

/** A value as a node, as if it had been written as JSON and read as YAML. */
export const jsonNode = (value: unknown): Node => valueNode(value, goJsonNumber);

/** Like `jsonNode`, but through Go's `any`, in which all numbers are float64: a million becomes `1e+06`. */
export const floatNode = (value: unknown): Node => valueNode(value, formatFloat);

function valueNode(value: unknown, numberText: (value: number) => string): Node {
  switch (typeof value) {
    case 'string':
      return new Node('scalar', '!!str', value, textStyle(value));
    case 'number':
    case 'bigint': {
      const exact = typeof value === 'bigint' && numberText === goJsonNumber;
      const text = exact ? String(value) : numberText(Number(value));
      return new Node('scalar', `!!${resolvePlain(text, 'v3').type}`, text);
    }
    case 'boolean':
      return new Node('scalar', '!!bool', String(value));
    case 'object': {
      if (value === null) break;
      if (Array.isArray(value)) {
        const list = new Node('sequence', '!!seq');
        list.items = value.map((item) => valueNode(item, numberText));
        return list;
      }
      const map = new Node('map', '!!map');
      for (const [key, item] of Object.entries(value))
        map.entries.push({ key: new Node('scalar', '!!str', key), value: valueNode(item, numberText) });
      return map;
    }
  }
  return new Node('scalar', '!!null', 'null');
}

const textStyle = (value: string): ScalarStyle =>
  possibleStyle(stringScalar(value, 'v3').style, value, scalarForms(value, true), false);
