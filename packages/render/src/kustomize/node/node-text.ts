import { Emitter, type EmitterNode, type Scalar } from '../../go-yaml/emitter.ts';
import { resolvePlain } from '../../go-yaml/resolve.ts';
import type { Node } from './node.ts';

/** A node as YAML, with its order and styles. */
export function nodeText(node: Node): string {
  const options = { indent: 2, width: Number.POSITIVE_INFINITY, sequences: 'compact', tabsInBlocks: true } as const;
  return new Emitter(options, (value) => describe(value as Node)).document(node);
}

function describe(node: Node): EmitterNode {
  if (node.kind === 'sequence') return { kind: 'sequence', flow: node.flow, items: node.items };
  if (node.kind === 'map')
    return { kind: 'map', flow: node.flow, entries: node.entries.map(({ key, value }) => [asScalar(key), value]) };
  return { kind: 'scalar', scalar: asScalar(node) };
}

function asScalar({ tag, tagged, style, value }: Node): Scalar {
  if (tagged && tag !== '') return { text: value, style, tag: `${tag} ` };
  if (style !== 'plain' || tag === '') return { text: value, style: literalIfNeeded(style, value), tag: '' };
  const { type } = resolvePlain(value, 'v3');
  if (tag === `!!${type}` || tag === '!!merge') return { text: value, style: literalIfNeeded(style, value), tag: '' };
  if (tag === '!!str') return { text: value, style: value.includes('\n') ? 'literal' : 'double', tag: '' };
  return { text: value, style, tag: `${tag} ` };
}

const literalIfNeeded = (style: Scalar['style'], value: string): Scalar['style'] =>
  style === 'plain' && value.includes('\n') ? 'literal' : style;
