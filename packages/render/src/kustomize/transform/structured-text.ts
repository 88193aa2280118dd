import { goJson } from '../../go-json/go-json.ts';
import { lookup } from '../node/lookup.ts';
import type { Node, NodeKind } from '../node/node.ts';
import { nodeText } from '../node/node-text.ts';
import { nodeValue } from '../node/node-value.ts';
import { matchPath } from '../node/path-matcher.ts';
import { readNode } from '../node/read-nodes.ts';

/**
 * Sets a value inside text that is JSON or YAML, if the path leads into it, and writes the text again. Returns whether it did.
 */
export function setInStructuredText(
  root: Node,
  value: Node,
  path: readonly string[],
  create: NodeKind | undefined,
): boolean {
  for (let length = 1; length < path.length; length++) {
    const holder = found(() => lookup(root, path.slice(0, length)));
    if (holder?.kind !== 'scalar') continue;
    const document = found(() => readNode(holder.value));
    if (!document) continue;
    const fields = found(() => matchPath(document, path.slice(length), create)) ?? [];
    if (fields.length === 0) return false;
    for (const field of fields) {
      if (field.kind === 'scalar') field.value = value.value;
      else field.assign(value);
    }
    const text = found(() => written(document, holder.value));
    if (text === undefined) return false;
    holder.value = text;
    return true;
  }
  return false;
}

function found<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

/** Writes JSON, on several lines if it was, or YAML. */
function written(document: Node, original: string): string {
  if (!/^\s*[{[]/u.test(original)) return nodeText(document).trim();
  const pretty = original.includes('\n') && original.includes('  ');
  return goJson(nodeValue(document), pretty ? { indent: '  ' } : {});
}
