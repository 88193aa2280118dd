import { createHash } from 'node:crypto';
import { goJson } from '../../go-json/go-json.ts';
import { field } from '../node/fields.ts';
import { lookup } from '../node/lookup.ts';
import type { Node } from '../node/node.ts';
import { nodeValue } from '../node/node-value.ts';
import { needsHashSuffix } from '../resource/annotations.ts';
import type { ResMap } from '../resource/res-map.ts';
import type { Resource } from '../resource/resource.ts';

/** Digits that could form words are replaced. */
const letters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

/** Adds a hash of their content to the names of generated objects, so that a change rolls out the workloads that use them. */
export function addHashSuffixes(map: ResMap): void {
  for (const resource of map.resources) {
    if (!resource.isEnabled(needsHashSuffix)) continue;
    const hash = contentHash(resource);
    resource.storePreviousId();
    resource.name = `${resource.name}-${hash}`;
  }
}

function contentHash(resource: Resource): string {
  const digest = createHash('sha256')
    .update(goJson(content(resource)))
    .digest('hex');
  return digest.slice(0, 10).replace(/[013ae]/gu, (digit) => letters[digit] ?? digit);
}

function content(resource: Resource): unknown {
  const { kind } = resource;
  const root = resource.root;
  // Kustomize reads a field named `metadata/name`, which never exists.
  const named = { kind, name: partOf(root, 'metadata/name'), data: partOf(root, 'data') };
  if (kind === 'ConfigMap') return { ...named, ...mapPart(root, 'binaryData') };
  if (kind === 'Secret') return { ...named, type: partOf(root, 'type'), ...mapPart(root, 'stringData') };
  return resource.value;
}

function partOf(root: Node, name: string): unknown {
  const node = lookup(root, [name]);
  if (!node) return '';
  return node.kind === 'scalar' ? node.value : nodeValue(node);
}

const mapPart = (root: Node, name: string): Record<string, unknown> => {
  const node = field(root, name);
  return node?.kind === 'map' ? { [name]: nodeValue(node) } : {};
};
