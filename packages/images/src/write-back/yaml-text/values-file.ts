import { isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import { ImagesError } from '../../images-error.ts';
import { scalarText } from './plain-scalar.ts';
import { nodeAt, readDocument, resolved, rootMap, scalarValue, type YamlText } from './read-document.ts';
import { addToMap, type BlockValue, columnOf, endOf, isInFlow, replaceScalar, splice, startOf } from './splice.ts';

/** A value to write at a path such as `image.tag` or `images[0].tag`. */
export interface ValueWrite {
  readonly path: string;
  readonly value: string;
}

const cannot = (what: string): ImagesError => new ImagesError('CannotWrite', what);

interface Step {
  readonly key: string;
  readonly index: number | undefined;
  readonly written: string;
}

/** The nodes along a path. */
export function stepsOf(path: string): Step[] {
  return path.split('.').map((written) => {
    const [, key, index] = /^(.*)\[(.*)\]$/su.exec(written) ?? [];
    if (key === undefined || index === undefined) return { key: written, index: undefined, written };
    if (!/^[-+]?\d+$/u.test(index)) throw cannot(`${path}: [${index}] is not an index`);
    return { key, index: Number(index), written };
  });
}

/** The value at a path; a key with the name of the whole path is used if the path does not exist. */
export function getValue(text: string, path: string): string {
  const yaml = readDocument(text);
  const root = rootMap(yaml);
  if (!root) throw cannot(`the file is not a map of values`);
  return scalarValue(findScalar(yaml, root, path) ?? missing(yaml, root, path));
}

function missing({ document: _ }: YamlText, root: YAMLMap, path: string): never {
  throw cannot(nodeAt(root, path) === undefined ? `there is no value ${path}` : `${path} is not a plain value`);
}

function findScalar(yaml: YamlText, root: YAMLMap, path: string): Scalar | undefined {
  let node: Node | undefined = root;
  for (const { key, index } of stepsOf(path)) {
    node = isMap(node) ? resolved(yaml, nodeAt(node, key)) : undefined;
    if (index !== undefined) node = isSeq(node) ? resolved(yaml, node.items[index]) : undefined;
  }
  if (isScalar(node)) return node;
  const literal = resolved(yaml, nodeAt(root, path));
  return isScalar(literal) ? literal : undefined;
}

/**
 * The file with values written. Only the values change, or missing keys are added: comments, blank lines, order, quotes and anchors are
 * kept, also if one of several values must be added. Either everything is written or an error is thrown.
 */
export function writeValues(text: string, writes: readonly ValueWrite[]): string {
  return writes.reduce((current, { path, value }) => setValue(current, path, value), text);
}

export function setValue(text: string, path: string, value: string): string {
  const yaml = readDocument(text);
  if (text.trim() === '' || yaml.document.contents === null)
    return `${withNewline(text)}${created(stepsOf(path), value)}`;
  const root = rootMap(yaml);
  if (!root) throw cannot('the file is not a map of values');
  const scalar = findScalar(yaml, root, path);
  if (scalar) {
    if (scalarValue(scalar) === value && scalar.source !== undefined) return text;
    return replaceScalar(text, scalar, value, isInFlow(root, scalar));
  }
  if (nodeAt(root, path) !== undefined) throw cannot(`${path} is not a plain value`);
  return create(yaml, root, path, value);
}

const withNewline = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Adds the missing keys at the end of the deepest existing map. */
function create(yaml: YamlText, root: YAMLMap, path: string, value: string): string {
  const steps = stepsOf(path);
  let map: YAMLMap = root;
  for (const [at, { key, index, written }] of steps.entries()) {
    const found = nodeAt(map, key);
    const node = resolved(yaml, found);
    const rest = steps.slice(at + 1);
    if (found === undefined) {
      if (index !== undefined) throw cannot(`${path}: there is no list ${key}`);
      return addToMap(yaml.text, map, key, nested(rest, value), isInFlow(root, map));
    }
    if (isSeq(node) && index === undefined) throw cannot(`${path}: ${key} is a list: add an index, as in ${key}[0]`);
    if (!isSeq(node) && index !== undefined) throw cannot(`${path}: ${key} is not a list`);
    const item = isSeq(node) && index !== undefined ? resolved(yaml, node.items[index]) : node;
    if (isSeq(node) && index !== undefined && (index < 0 || index >= node.items.length)) {
      throw cannot(`${path}: ${key} has ${node.items.length} items, and none at ${index}`);
    }
    if (isMap(item) && rest.length > 0) {
      map = item;
      continue;
    }
    if (rest.length > 0 && isScalar(item) && item.value === null) return fillEmpty(yaml, root, map, item, rest, value);
    throw cannot(`${path}: ${written} is ${isMap(item) ? 'a map' : isSeq(item) ? 'a list' : 'a plain value'}`);
  }
  throw cannot(`${path} cannot be written`);
}

/** `image:` without a value gets the nested keys. */
function fillEmpty(
  yaml: YamlText,
  root: YAMLMap,
  map: YAMLMap,
  empty: Scalar,
  rest: readonly Step[],
  value: string,
): string {
  const { text } = yaml;
  const inner = nested(rest, value);
  const at = startOf(empty);
  const end = endOf(empty);
  if (isInFlow(root, map)) return splice(text, at, end, ` ${inner.flow}`);
  const indent = ' '.repeat(columnOf(text, startOf(map)));
  const lines = 'inline' in inner.block ? [inner.block.inline] : inner.block.lines;
  return splice(text, at, end, `\n${lines.map((line) => `${indent}${line}`).join('\n')}`);
}

/** The text after a key for the rest of the path and the value. */
function nested(steps: readonly Step[], value: string): BlockValue {
  const [step, ...rest] = steps;
  const plain = scalarText(value, 'plain');
  if (!step) return { flow: scalarText(value, 'plain', true), block: { inline: plain } };
  const inner = nested(rest, value);
  const key = scalarText(step.written, 'plain');
  const below =
    'inline' in inner.block
      ? [`  ${key}: ${inner.block.inline}`]
      : [`  ${key}:`, ...inner.block.lines.map((line) => `  ${line}`)];
  return { flow: `{${scalarText(step.written, 'plain', true)}: ${inner.flow}}`, block: { lines: below } };
}

function created(steps: readonly Step[], value: string): string {
  const [first, ...rest] = steps;
  const inner = nested(rest, value);
  const key = scalarText(first?.written ?? '', 'plain');
  return 'inline' in inner.block ? `${key}: ${inner.block.inline}\n` : `${key}:\n${inner.block.lines.join('\n')}\n`;
}
