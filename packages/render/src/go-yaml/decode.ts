import { formatFloat } from '../go-json/format-float.ts';
import { goSyntax } from './go-syntax.ts';
import type { AliasNode, MapNode, ScalarNode, YamlNode } from './node.ts';
import { longTagPrefix } from './parser.ts';
import { type Resolved, resolvePlain } from './resolve.ts';
import { YamlError } from './yaml-error.ts';

/** The values of a document, as Go's `Unmarshal` into `any` returns them, with numbers as float64. */
export function decodeYaml(node: YamlNode, options: { readonly uniqueKeys?: boolean } = {}): unknown {
  const decoder = new Decoder(options.uniqueKeys ?? false);
  const value = decoder.value(node);
  decoder.finish();
  return value;
}

type YamlMap = Record<string, unknown>;

/** The fraction of a document that aliases may contribute: nearly all of a small document, a tenth of a very large one. */
const allowedAliasShare = (decoded: number): number => {
  if (decoded <= 400_000) return 0.99;
  if (decoded >= 4_000_000) return 0.1;
  return 0.99 - 0.89 * ((decoded - 400_000) / 3_600_000);
};

class Decoder {
  private readonly uniqueKeys: boolean;
  private decoded = 0;
  private fromAliases = 0;
  private aliasDepth = 0;
  private readonly open = new Set<AliasNode>();
  private readonly duplicates: string[] = [];
  /** An error of the conversion to JSON, which Go runs after the whole document is decoded. */
  private unsupportedKey: string | undefined;
  private unsupportedNumber: string | undefined;

  constructor(uniqueKeys: boolean) {
    this.uniqueKeys = uniqueKeys;
  }

  finish(): void {
    if (this.duplicates.length > 0)
      throw new YamlError(`yaml: unmarshal errors:\n${this.duplicates.map((line) => `  ${line}`).join('\n')}`);
    const problem = this.unsupportedKey ?? this.unsupportedNumber;
    if (problem !== undefined) throw new YamlError(problem);
  }

  value(node: YamlNode): unknown {
    this.count();
    switch (node.kind) {
      case 'alias':
        return this.within(node, () => this.value(node.target));
      case 'scalar':
        return this.number(scalarValue(node));
      case 'sequence':
        return node.items.map((item) => this.value(item));
      case 'map': {
        const map: YamlMap = {};
        this.fill(map, node);
        return map;
      }
    }
  }

  private count(): void {
    this.decoded++;
    if (this.aliasDepth > 0) this.fromAliases++;
    if (
      this.fromAliases > 100 &&
      this.decoded > 1000 &&
      this.fromAliases / this.decoded > allowedAliasShare(this.decoded)
    )
      throw new YamlError('yaml: document contains excessive aliasing');
  }

  private within<T>(node: AliasNode, decode: () => T): T {
    if (this.open.has(node)) throw new YamlError(`yaml: anchor '${node.name}' value contains itself`);
    this.open.add(node);
    this.aliasDepth++;
    const result = decode();
    this.aliasDepth--;
    this.open.delete(node);
    return result;
  }

  private number(resolved: Resolved): unknown {
    switch (resolved.type) {
      case 'null':
        return null;
      case 'int':
        return Number(resolved.value);
      case 'float':
        if (!Number.isFinite(resolved.value))
          this.unsupportedNumber ??= `json: unsupported value: ${formatFloat(resolved.value)}`;
        return resolved.value;
      default:
        return resolved.value;
    }
  }

  private fill(map: YamlMap, node: MapNode): void {
    for (const [key, value] of node.entries) {
      if (isMergeKey(key)) {
        this.merge(map, value);
        continue;
      }
      const name = this.key(key);
      const decoded = this.value(value);
      if (name.text === undefined) {
        this.unsupportedKey ??= `unsupported map key of type: ${name.type}, key: ${name.syntax}, value: ${decoded === null ? '<nil>' : goSyntax(decoded)}`;
      } else if (this.uniqueKeys && Object.hasOwn(map, name.text)) {
        this.duplicates.push(`line ${value.line + 1}: key ${name.syntax} already set in map`);
      } else {
        setKey(map, name.text, decoded);
      }
    }
  }

  /** Converts keys to text, as JSON requires. */
  private key(node: YamlNode): { text: string | undefined; type: string; syntax: string } {
    this.count();
    if (node.kind === 'alias') return this.within(node, () => this.key(node.target));
    if (node.kind !== 'scalar') throw new YamlError(`yaml: invalid map key: ${goSyntax(this.value(node))}`);
    const resolved = scalarValue(node);
    switch (resolved.type) {
      case 'null':
        return { text: undefined, type: '%!s(<nil>)', syntax: '<nil>' };
      case 'int': {
        const unsigned = resolved.value >= 1n << 63n;
        return { text: unsigned ? undefined : String(resolved.value), type: 'uint64', syntax: String(resolved.value) };
      }
      case 'float': {
        const text = formatFloat(resolved.value, 32);
        return { text: infinities[text] ?? text, type: 'float64', syntax: text };
      }
      case 'bool':
        return { text: String(resolved.value), type: 'bool', syntax: String(resolved.value) };
      default:
        return { text: resolved.value, type: 'string', syntax: goSyntax(resolved.value) };
    }
  }

  private merge(map: YamlMap, node: YamlNode): void {
    const sources = node.kind === 'sequence' ? [...node.items].reverse() : [node];
    for (const source of sources) {
      const target = source.kind === 'alias' ? source.target : source;
      if (target.kind !== 'map') throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
      this.count();
      if (source.kind === 'alias')
        this.within(source, () => {
          this.count();
          this.fill(map, target);
        });
      else this.fill(map, target);
    }
  }
}

const infinities: Readonly<Record<string, string>> = { '+Inf': '.inf', '-Inf': '-.inf', NaN: '.nan' };

const isMergeKey = (node: YamlNode): boolean =>
  node.kind === 'scalar' &&
  node.value === '<<' &&
  ((node.tag === '' && node.style === 'plain') || node.tag === '!' || node.tag === `${longTagPrefix}merge`);

export function setKey(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

const shortTag = (tag: string): string =>
  tag.startsWith(longTagPrefix) ? `!!${tag.slice(longTagPrefix.length)}` : tag;
const resolvableTags = new Set(['!!str', '!!bool', '!!int', '!!float', '!!null', '!!timestamp']);

/** The value of a scalar, by its tag and style. */
function scalarValue(node: ScalarNode): Resolved {
  if (node.tag === '') return node.style === 'plain' ? resolvePlain(node.value) : { type: 'str', value: node.value };
  const tag = shortTag(node.tag);
  if (tag === '!!binary') return { type: 'str', value: decodeBase64(node.value) };
  if (!resolvableTags.has(tag) || tag === '!!str') return { type: 'str', value: node.value };
  const resolved = resolvePlain(node.value);
  if (`!!${resolved.type}` === tag) return resolved;
  if (tag === '!!float' && resolved.type === 'int') return { type: 'float', value: Number(resolved.value) };
  throw new YamlError(`yaml: cannot decode !!${resolved.type} \`${node.value}\` as a ${tag}`);
}

function decodeBase64(text: string): string {
  const compact = text.replaceAll(/[\r\n]/gu, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u.test(compact))
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(compact, 'base64'));
}
