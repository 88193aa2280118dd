import type { MapNode, YamlNode } from '../../go-yaml/node.ts';
import { longTagPrefix, parseYaml } from '../../go-yaml/parser.ts';
import { resolvePlain } from '../../go-yaml/resolve.ts';
import { messageOf } from '../../util/errors.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { field } from './fields.ts';
import { isNull, Node } from './node.ts';

/** Text that is not YAML. It is reported before any other error. */
export class MalformedYamlError extends KustomizeError {}

/**
 * The documents of a text, with aliases resolved. The text is split at lines that start with `---` before it is read, and only the first
 * document of each part is used. A `List` becomes its items.
 */
export function readNodes(text: string): Node[] {
  const pieces = splitDocuments(text.replaceAll('\r\n', '\n'));
  const nodes: Node[] = [];
  for (const [i, piece] of pieces.entries()) {
    const node = readNode(i < pieces.length - 1 ? `${piece}\n` : piece);
    if (!node || isNull(node)) continue;
    const kind = field(node, 'kind')?.value;
    const items = field(node, 'items');
    const isList = kind === 'List' || kind === 'ResourceList';
    if (pieces.length === 1 && isList && (items || field(node, 'functionConfig'))) {
      nodes.push(...(items?.items ?? []));
    } else {
      nodes.push(node);
    }
  }
  return nodes;
}

function splitDocuments(text: string): string[] {
  if (text === '') return [];
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(/\n---.*\n/gu)) {
    const rest = match[0].slice(4).trim();
    if (rest !== '' && !rest.startsWith('#'))
      throw new KustomizeError(`invalid document separator: ${match[0].trim()}`);
    pieces.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** The first document of a text. Undefined if there is none. */
export function readNode(text: string): Node | undefined {
  let document: YamlNode | undefined;
  try {
    document = parseYaml(text).next().value ?? undefined;
  } catch (error) {
    throw new MalformedYamlError(`MalformedYAMLError: ${messageOf(error)}`);
  }
  return document && new Converter().node(document);
}

/** How many nodes aliases may expand to. More is an attack. */
const maxNodes = 1_000_000;

class Converter {
  private count = 0;
  private readonly open = new Set<YamlNode>();

  node(source: YamlNode): Node {
    if (++this.count > maxNodes)
      throw new MalformedYamlError('MalformedYAMLError: yaml: document contains excessive aliasing');
    switch (source.kind) {
      case 'alias': {
        if (this.open.has(source.target))
          throw new MalformedYamlError(`MalformedYAMLError: yaml: anchor '${source.name}' value contains itself`);
        return this.node(source.target);
      }
      case 'scalar': {
        const tag = scalarTag(source.tag, source.value, source.style === 'plain');
        const node = new Node('scalar', tag, source.value, source.style);
        node.tagged = isWritten(source.tag);
        return node;
      }
      case 'sequence': {
        const node = tagged(new Node('sequence', '!!seq'), source.tag);
        node.flow = source.flow;
        this.open.add(source);
        for (const item of source.items) node.items.push(this.node(item));
        this.open.delete(source);
        return node;
      }
      case 'map': {
        const node = tagged(new Node('map', '!!map'), source.tag);
        node.flow = source.flow;
        this.open.add(source);
        // Kustomize drops a quoted `<<` as well.
        for (const [key, value] of source.entries)
          if (key.kind !== 'scalar' || key.value !== '<<')
            node.entries.push({ key: this.node(key), value: this.node(value) });
        for (const merged of mergeSources(source)) this.mergeInto(node, merged);
        this.open.delete(source);
        return node;
      }
    }
  }

  /** Adds fields that the map does not have. */
  private mergeInto(node: Node, merged: MapNode): void {
    if (this.open.has(merged)) throw new MalformedYamlError('MalformedYAMLError: yaml: anchor value contains itself');
    const { entries } = this.node(merged);
    for (const entry of entries)
      if (!node.entries.some(({ key }) => key.value === entry.key.value)) node.entries.push(entry);
  }
}

const isWritten = (tag: string): boolean => tag !== '' && tag !== '!';
const short = (tag: string): string => (tag.startsWith(longTagPrefix) ? `!!${tag.slice(longTagPrefix.length)}` : tag);

function tagged(node: Node, tag: string): Node {
  if (isWritten(tag)) {
    node.tag = short(tag);
    node.tagged = true;
  }
  return node;
}

function scalarTag(tag: string, value: string, plain: boolean): string {
  if (isWritten(tag)) return short(tag);
  if (!plain) return '!!str';
  return value === '<<' ? '!!merge' : `!!${resolvePlain(value, 'v3').type}`;
}

const isMerge = (key: YamlNode): boolean =>
  key.kind === 'scalar' && scalarTag(key.tag, key.value, key.style === 'plain') === '!!merge';

/** The maps that a map merges, in order of precedence. */
function mergeSources(map: MapNode): MapNode[] {
  const keys = map.entries.filter(([key]) => isMerge(key));
  if (keys.length > 1) throw new KustomizeError('duplicate merge key');
  return keys.flatMap(([, value]) => mergeValues(value, true));
}

function mergeValues(value: YamlNode, mayBeList: boolean): MapNode[] {
  if (value.kind === 'map') return [value];
  if (value.kind === 'alias') {
    if (value.target.kind !== 'map') throw new KustomizeError('invalid map merge: received alias for a non-map value');
    return [value.target];
  }
  if (value.kind === 'sequence') {
    if (!mayBeList) throw new KustomizeError('invalid map merge: received a nested sequence');
    return value.items.flatMap((item) => mergeValues(item, false));
  }
  throw new KustomizeError('map merge requires map or sequence of maps as the value');
}
