import { KustomizeError } from '../kustomize-error.ts';
import { field } from '../node/fields.ts';
import { isEmpty, type Node } from '../node/node.ts';
import { jsonNode, nodeValue } from '../node/node-value.ts';
import { readNodes } from '../node/read-nodes.ts';
import { Resource } from './resource.ts';

/** The objects of a text. Each needs a kind and a name. Empty documents are skipped, lists become their items. */
export function readResources(text: string): Resource[] {
  return unfoldLists(withoutBad(readNodes(text))).map((node) => new Resource(node));
}

function withoutBad(nodes: readonly Node[]): Node[] {
  const good = nodes.filter((node) => !isEmpty(node));
  for (const node of good) demandMetadata(node);
  return good;
}

const filled = (node: Node | undefined): Node | undefined => (isEmpty(node) ? undefined : node);

/** Every object has a kind, and all but lists a name. */
export function demandMetadata(node: Node): void {
  const metadata = filled(field(node, 'metadata'));
  const kind = filled(field(node, 'kind'))?.value ?? '';
  const name = filled(field(metadata, 'name'))?.value ?? '';
  const known = [
    field(node, 'apiVersion'),
    field(node, 'kind'),
    ...['name', 'namespace', 'labels', 'annotations'].map((key) => field(metadata, key)),
  ];
  if (known.every((it) => isEmpty(it))) throw new KustomizeError('missing Resource metadata');
  const what = `{${filled(field(node, 'apiVersion'))?.value ?? ''} ${kind} ${name}}`;
  if (kind === '') throw new KustomizeError(`missing kind in object ${what}`);
  if (name === '' && !kind.endsWith('List')) throw new KustomizeError(`missing metadata.name in object ${what}`);
}

/** A `ConfigMapList` becomes its items, which are added after everything else. */
function unfoldLists(nodes: readonly Node[]): Node[] {
  const queue = [...nodes];
  const objects: Node[] = [];
  for (let node = queue.shift(); node; node = queue.shift()) {
    const kind = field(node, 'kind')?.value ?? '';
    const items = field(node, 'items');
    if (!kind.endsWith('List') || !items) {
      objects.push(node);
      continue;
    }
    const values = nodeValue(items);
    if (values === null) continue;
    if (!Array.isArray(values)) throw new KustomizeError(`expected array in ${kind}/items, but found ${typeof values}`);
    queue.push(...withoutBad(values.map(jsonNode)));
  }
  return objects;
}
