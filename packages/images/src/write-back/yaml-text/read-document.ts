import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { ImagesError } from '../../images-error.ts';

/** A text with its nodes and their positions. */
export interface YamlText {
  readonly text: string;
  readonly document: Document.Parsed;
}

export function readDocument(text: string, what = 'the file'): YamlText {
  const document = parseDocument(text, { version: '1.1', merge: false, uniqueKeys: false, strict: false });
  const [error] = document.errors;
  if (error) throw new ImagesError('CannotWrite', `${what} is not YAML: ${error.message.split('\n')[0]}`);
  return { text, document: document as Document.Parsed };
}

/** Resolves an alias to its anchor. */
export function resolved({ document }: YamlText, node: unknown): Node | undefined {
  if (isAlias(node)) return resolvedAlias(document, node.resolve(document));
  return isNode(node) ? node : undefined;
}

const resolvedAlias = (_document: Document.Parsed, node: unknown): Node | undefined =>
  isNode(node) ? node : undefined;

/** The value under a key as it is written; a key that is itself an alias or a collection is not found. */
export function nodeAt(map: YAMLMap, key: string): Node | null | undefined {
  for (const pair of map.items) {
    if (isPair(pair) && isScalar(pair.key) && keyText(pair.key) === key) return isNode(pair.value) ? pair.value : null;
  }
  return undefined;
}

/** `1.20: x` has the key `1.20` and not the number. */
const keyText = (key: Scalar): string => (typeof key.source === 'string' ? key.source : String(key.value));

export const scalarValue = (node: Scalar): string =>
  typeof node.source === 'string' ? node.source : node.value === null ? '' : String(node.value);

export const rootMap = ({ document }: YamlText): YAMLMap | undefined =>
  isMap(document.contents) ? document.contents : undefined;
