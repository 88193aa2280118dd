import { must } from '@fairlead/apimachinery';
import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { ImagesError } from '../images-error.ts';
import { type KustomizationImage, type KustomizeImage, kustomizationImage } from './kustomize-images.ts';
import { scalarText } from './yaml-text/plain-scalar.ts';
import { nodeAt, readDocument, rootMap, scalarValue } from './yaml-text/read-document.ts';
import { emit } from './yaml-text/replace-list.ts';
import {
  addToMap,
  columnOf,
  endOf,
  insertLines,
  keyOf,
  lastEnd,
  replaceScalar,
  splice,
  startOf,
} from './yaml-text/splice.ts';

export const kustomizationFiles = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/**
 * A kustomization with image overrides. An entry of the same name is replaced, others are added; everything else stays byte for byte.
 * Returns the text itself if nothing changes.
 */
export function editKustomization(text: string, overrides: readonly KustomizeImage[]): string {
  return overrides.map(kustomizationImage).reduce(setEntry, text);
}

function setEntry(text: string, image: KustomizationImage): string {
  const root = rootOf(text);
  const fields = fieldsOf(image);
  const images = root && nodeAt(root, 'images');
  if (!root) return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${emit({ images: [fields] })}`;
  if (images === undefined) return endedAs(text, addToMap(text, root, 'images', newList(fields), root.flow === true));
  if (!isSeq(images) || images.items.length === 0) return replaceEmpty(text, root, images, fields);
  const entry = images.items.find((item): item is YAMLMap => isMap(item) && nameOf(item) === image.name);
  return entry ? changeEntry(text, entry, fields) : appendEntry(text, images, fields);
}

function rootOf(text: string): YAMLMap | undefined {
  const yaml = readDocument(text, 'the kustomization');
  const root = rootMap(yaml);
  if (!root && yaml.document.contents !== null) throw new ImagesError('CannotWrite', 'the kustomization is not a map');
  return root;
}

type Fields = Readonly<Record<string, string>>;

const fieldsOf = (image: KustomizationImage): Fields =>
  Object.fromEntries(Object.entries(image).filter(([, value]) => value !== ''));

const nameOf = (entry: YAMLMap): string | undefined => {
  const name = nodeAt(entry, 'name');
  return isScalar(name) ? scalarValue(name) : undefined;
};

const flowOf = (fields: Fields): string =>
  `{${Object.entries(fields)
    .map(([key, value]) => `${key}: ${scalarText(value, 'plain', true)}`)
    .join(', ')}}`;

const entryLines = (fields: Fields): string[] => emit([fields]).trimEnd().split('\n');

const newList = (fields: Fields) => ({ flow: `[${flowOf(fields)}]`, block: { lines: entryLines(fields) } });

const endedAs = (before: string, text: string): string =>
  before.endsWith('\n') && !text.endsWith('\n') ? `${text}\n` : text;

function replaceEmpty(text: string, root: YAMLMap, images: Node | null, fields: Fields): string {
  if (images !== null && !isSeq(images) && !(isScalar(images) && images.value === null)) {
    throw new ImagesError('CannotWrite', 'images of the kustomization is not a list');
  }
  const pair = root.items.find(({ key }) => isScalar(key) && scalarValue(key) === 'images');
  const key = keyOf(must(pair, 'images'));
  const colon = text.indexOf(':', endOf(key)) + 1;
  const end = images === null ? colon : endOf(images);
  if (root.flow) return splice(text, colon, end, ` [${flowOf(fields)}]`);
  const indent = ' '.repeat(columnOf(text, startOf(key)));
  return splice(
    text,
    colon,
    end,
    `\n${entryLines(fields)
      .map((line) => `${indent}${line}`)
      .join('\n')}`,
  );
}

function appendEntry(text: string, images: YAMLSeq, fields: Fields): string {
  if (images.flow) {
    const last = text.slice(0, endOf(images) - 1).trimEnd().length;
    return splice(text, last, last, `, ${flowOf(fields)}`);
  }
  const indent = ' '.repeat(columnOf(text, startOf(images)));
  return insertLines(
    text,
    lastEnd(images),
    entryLines(fields)
      .map((line) => `${indent}${line}`)
      .join('\n'),
  );
}

/** If the fields are the same, only values change; otherwise the entry is replaced. */
function changeEntry(text: string, entry: YAMLMap, fields: Fields): string {
  const present = entry.items.map(({ key }) => (isScalar(key) ? scalarValue(key) : ''));
  const scalars = Object.keys(fields).map((key) => nodeAt(entry, key));
  if (present.length === scalars.length && scalars.every((node) => isScalar(node))) {
    const changes = Object.entries(fields)
      .flatMap(([key, value]) => {
        const node = nodeAt(entry, key);
        return isScalar(node) && scalarValue(node) !== value ? [{ node, value }] : [];
      })
      .sort((a, b) => startOf(b.node) - startOf(a.node));
    return changes.reduce((edited, { node, value }) => replaceScalar(edited, node, value, entry.flow === true), text);
  }
  if (entry.flow) return splice(text, startOf(entry), endOf(entry), flowOf(fields));
  const indent = ' '.repeat(columnOf(text, startOf(entry)));
  const lines = emit(fields).trimEnd().split('\n').join(`\n${indent}`);
  const end = lastEnd(entry);
  return splice(text, startOf(entry), end, text[end - 1] === '\n' ? `${lines}\n` : lines);
}
