import { KustomizeError, within } from '../kustomize-error.ts';
import { lookup } from '../node/lookup.ts';
import { isEmpty, isNull, type Node, type NodeKind, scalar } from '../node/node.ts';
import { splitBracketedPath } from '../node/path.ts';
import { matchPath } from '../node/path-matcher.ts';
import { idText, isSelected, type ResId, sameNamespace } from '../resource/res-id.ts';
import type { ResMap } from '../resource/res-map.ts';
import type { Resource } from '../resource/resource.ts';
import { compileSelector, matchesMetadata, type Selector } from '../resource/selector.ts';
import { setInStructuredText } from './structured-text.ts';

export interface FieldOptions {
  readonly delimiter?: string;
  readonly index?: number;
  readonly create?: boolean;
}

export interface SourceSelector extends Selector {
  readonly fieldPath?: string;
  readonly options?: FieldOptions;
}

export interface TargetSelector {
  readonly select?: Selector;
  readonly reject?: readonly Selector[];
  readonly fieldPaths?: readonly string[];
  readonly options?: FieldOptions;
}

export interface Replacement {
  readonly source?: SourceSelector;
  readonly sourceValue?: string;
  readonly targets?: readonly TargetSelector[];
}

const defaultFieldPath = 'metadata.name';

/** Copies values from one object to fields of others. */
export function replaceValues(map: ResMap, replacements: readonly Replacement[]): void {
  for (const { source, sourceValue, targets } of replacements) {
    if ((!source && sourceValue === undefined) || !targets)
      throw new KustomizeError('replacements must specify a source and at least one target');
    if (source && sourceValue !== undefined)
      throw new KustomizeError('value and resource selectors are mutually exclusive');
    const value = source ? sourceNode(map, source) : scalar(sourceValue ?? '');
    for (const target of targets) replaceIn(map, target, value);
  }
}

function sourceNode(map: ResMap, source: SourceSelector): Node {
  const selector: ResId = {
    group: source.group ?? '',
    version: source.version ?? '',
    kind: source.kind ?? '',
    name: source.name ?? '',
    namespace: source.namespace ?? '',
    clusterScoped: false,
  };
  const matches = (id: ResId): boolean =>
    (selector.name === '' || selector.name === id.name) &&
    (selector.namespace === '' || sameNamespace(selector, id)) &&
    isSelected(id, selector);
  const found = map.resources.filter((resource) => idsOf(resource).some(matches));
  if (found.length > 1) throw new KustomizeError(`multiple matches for selector ${idText(selector)}`);
  if (!found[0]) throw new KustomizeError(`nothing selected by ${idText(selector)}`);
  const path = source.fieldPath || defaultFieldPath;
  const { root } = found[0];
  const node = within('error looking up replacement source', () => lookup(root, splitBracketedPath(path, '.')));
  if (!node || isEmpty(node))
    throw new KustomizeError(`fieldPath \`${path}\` is missing for replacement source ${idText(selector)}`);
  return partOf(node, source.options);
}

/** Replacements do not know which kinds have no namespace. */
const idsOf = (resource: Resource): ResId[] => [{ ...resource.id, clusterScoped: false }, ...resource.previousIds];

function partOf(node: Node, options: FieldOptions | undefined): Node {
  if (!options?.delimiter) return node;
  if (node.kind !== 'scalar') throw new KustomizeError('delimiter option can only be used with scalar nodes');
  const parts = node.value.split(options.delimiter);
  const part = parts[options.index ?? 0];
  if (part === undefined)
    throw new KustomizeError(`options.index ${options.index ?? 0} is out of bounds for value ${node.value}`);
  const copy = node.copy();
  copy.value = part;
  return copy;
}

function replaceIn(map: ResMap, target: TargetSelector, value: Node): void {
  const { select, reject = [] } = target;
  if (!select) throw new KustomizeError('target must specify resources to select');
  const selects = compileSelector(select);
  const rejects = reject.map((selector) => ({ selector, matches: compileSelector(selector) }));
  for (const resource of map.resources) {
    const ids = idsOf(resource);
    const isRejected = rejects.some(({ selector, matches }) => {
      if ((selector.annotationSelector || selector.labelSelector) && matchesMetadata(resource, selector)) return true;
      const { group, version, kind, name, namespace } = selector;
      if (!group && !version && !kind && !name && !namespace) return false;
      return ids.some((id) => matches.gvk(id) && matches.name(id.name) && matches.namespace(id.namespace));
    });
    if (isRejected || !matchesMetadata(resource, select)) continue;
    if (ids.some((id) => selects.gvk(id) && selects.name(id.name) && selects.namespace(id.namespace)))
      copyValue(resource.root, value, target);
  }
}

function copyValue(root: Node, value: Node, { fieldPaths = [], options }: TargetSelector): void {
  for (const fieldPath of fieldPaths.length > 0 ? fieldPaths : [defaultFieldPath]) {
    const create: NodeKind | undefined = options?.create ? value.kind : undefined;
    const path = splitBracketedPath(fieldPath, '.');
    if (setInStructuredText(root, value, path, create)) continue;
    const problem = `unable to find ${create ? 'or create ' : ''}field "${fieldPath}" in replacement target`;
    const fields = within(problem, () => matchPath(root, path, create));
    if (fields.length === 0) throw new KustomizeError(problem);
    for (const field of fields) setValue(field, value.copy(), options);
  }
}

/** A scalar gets only the text, so that a number becomes text where text was. */
function setValue(field: Node, value: Node, options: FieldOptions | undefined): void {
  if (options?.delimiter) {
    if (field.kind !== 'scalar') throw new KustomizeError('delimiter option can only be used with scalar nodes');
    const parts = field.value.split(options.delimiter);
    const index = options.index ?? 0;
    const part = isNull(value) ? '' : value.value;
    if (index < 0) parts.unshift(part);
    else if (index >= parts.length) parts.push(part);
    else parts[index] = part;
    value.value = parts.join(options.delimiter);
  }
  if (field.kind === 'scalar') field.value = value.value;
  else field.assign(value);
}
