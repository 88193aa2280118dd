import { isObject, must } from '@fairlead/apimachinery';
import { Emitter, type EmitterNode, stringScalar } from '@fairlead/render/go-yaml';
import { isMap, type Node, type YAMLMap } from 'yaml';
import { nodeAt, readDocument, rootMap } from './read-document.ts';
import { addToMap, columnOf, endOf, isNodeLike, keyOf, lastEnd, splice, startOf } from './splice.ts';

type Plain = string | boolean | readonly Plain[] | { readonly [key: string]: Plain };

function describe(value: unknown): EmitterNode {
  if (typeof value === 'string') return { kind: 'scalar', scalar: stringScalar(value, 'v3') };
  if (typeof value === 'boolean') return { kind: 'scalar', scalar: { text: String(value), style: 'plain', tag: '' } };
  if (Array.isArray(value)) return { kind: 'sequence', items: value };
  const entries = Object.entries(isObject(value) ? value : {});
  return { kind: 'map', entries: entries.map(([key, item]) => [stringScalar(key, 'v3'), item] as const) };
}

/** A value in the format of the tools of Argo CD: indented by two, lists at the column of their key, keys in the given order. */
export const emit = (value: Plain): string =>
  new Emitter(
    { indent: 2, width: Number.POSITIVE_INFINITY, sequences: 'compact', tabsInBlocks: true },
    describe,
  ).document(value);

/**
 * The file with one list, `section.name`, replaced; everything else is unchanged. A text that is not a map is replaced as a whole, since it
 * has no relevant content.
 */
export function replaceList(text: string, section: string, name: string, items: readonly Plain[]): string {
  const fresh = emit({ [section]: { [name]: items } });
  const yaml = readOrNothing(text);
  const root = yaml && rootMap(yaml);
  if (!yaml || !root)
    return text.trim() === '' || !yaml ? fresh : yaml.document.contents === null ? `${ended(text)}${fresh}` : fresh;
  const holder = nodeAt(root, section);
  if (holder === undefined) return ended(addToMap(text, root, section, below({ [name]: items }), root.flow === true));
  if (!isMap(holder)) return replaceNode(text, holder ?? undefined, root, section, { [name]: items });
  const list = nodeAt(holder, name);
  if (list === undefined) return ended(addToMap(text, holder, name, below(items), holder.flow === true));
  return replaceNode(text, list ?? undefined, holder, name, items);
}

function readOrNothing(text: string): ReturnType<typeof readDocument> | undefined {
  try {
    return readDocument(text);
  } catch {
    return undefined;
  }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** The text after a key: lines below it, or on its line if the list is empty. */
function below(value: Plain): Parameters<typeof addToMap>[3] {
  const flow = flowText(value);
  if (Array.isArray(value) && value.length === 0) return { flow, block: { inline: '[]' } };
  const lines = emit(value).trimEnd().split('\n');
  return { flow, block: { lines: Array.isArray(value) ? lines : lines.map((line) => `  ${line}`) } };
}

const flowText = (value: Plain): string => JSON.stringify(value);

/** Replaces the node of a key, keeping the line end of the key. */
function replaceNode(text: string, node: Node | undefined, holder: YAMLMap, key: string, value: Plain): string {
  const pair = holder.items.find(
    (item) => isNodeLike(item.key) && 'value' in item.key && String(item.key.value) === key,
  );
  const keyNode = keyOf(must(pair, key));
  const colon = text.indexOf(':', endOf(keyNode)) + 1;
  if (holder.flow) return splice(text, colon, node ? endOf(node) : colon, ` ${flowText(value)}`);
  const indent = ' '.repeat(columnOf(text, startOf(keyNode)));
  const { block } = below(value);
  const put = 'inline' in block ? ` ${block.inline}` : `\n${block.lines.map((line) => `${indent}${line}`).join('\n')}`;
  const end = node ? lastEnd(node) : colon;
  return splice(text, colon, end, text[end - 1] === '\n' && end > colon ? `${put}\n` : put);
}
