import {
  type ApiError,
  apiError,
  apiVersionOf,
  fieldError,
  type JsonObject,
  type KubeObject,
} from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import type { Resource, TableRules } from '../resource.ts';
import type { Stored } from '../storage/storage.ts';
import { textOf, viewOf } from '../verbs/api.ts';
import type { Page } from '../verbs/list.ts';
import type { Representation } from './negotiate.ts';

/** Kinds without specific columns show their creation time. */
const plainTable: TableRules = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'The name of the object.', priority: 0 },
    { name: 'Created At', type: 'date', description: 'When the object was created.', priority: 0 },
  ],
  cells: (object) => [object.metadata.name, object.metadata.creationTimestamp ?? null],
};

/** The form of the objects in the rows of a table. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw refuse.invalid({ group: 'meta.k8s.io', kind: 'TableOptions' }, '', [
    fieldError.invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty"),
  ]);
}

export interface Presenter {
  readonly representation: Representation;
  readonly resource: Resource;
  readonly include: IncludeObject;
  readonly now: number;
}

/** One object that was just written or created, in the form that the client accepts. */
export function presentObject(presenter: Presenter, object: KubeObject): JsonObject | KubeObject {
  const { as } = presenter.representation;
  if (!as) return object;
  if (as.kind === 'Table') {
    return table(presenter, as.version, { resourceVersion: object.metadata.resourceVersion ?? '' }, [object], true);
  }
  return partial(object, as.version);
}

export function presentStored(presenter: Presenter, stored: Stored): string {
  const { as } = presenter.representation;
  if (!as) return textOf(presenter.resource, stored);
  if (as.kind === 'PartialObjectMetadataList') throw notThisForm(presenter, 'not a list', '');
  return JSON.stringify(presentObject(presenter, viewOf(presenter.resource, stored)));
}

/** An object cannot be requested as a list, nor a list as an object; the error names the available type. */
function notThisForm({ representation, resource }: Presenter, what: string, suffix: 'List' | ''): ApiError {
  const own = `${resource.group.split('.')[0] || 'core'}.${resource.kind}${suffix}`;
  const type = resource.custom ? `unstructured.Unstructured${suffix}` : own;
  const asked = representation.as?.kind;
  const message = `you requested ${asked}, but the requested object is ${what} (*${type})`;
  return apiError(406, 'NotAcceptable', message);
}

export function presentPage(presenter: Presenter, page: Page): string {
  const { resource, representation } = presenter;
  // Lists of custom resources always have a continue field; built-in ones only if there are more items.
  const metadata: JsonObject = {
    ...(page.continue || (resource.custom && !representation.as) ? { continue: page.continue ?? '' } : {}),
    resourceVersion: String(page.revision),
    ...(page.remaining ? { remainingItemCount: page.remaining } : {}),
  };
  const { as } = representation;
  if (!as) {
    const head = `{"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))},"metadata":${JSON.stringify(metadata)},"items":[`;
    return `${head}${page.items.map((stored) => itemText(resource, stored)).join(',')}]}`;
  }
  const objects = page.items.map((stored) => viewOf(resource, stored));
  if (as.kind === 'Table') return JSON.stringify(table(presenter, as.version, metadata, objects, true));
  if (as.kind === 'PartialObjectMetadata') throw notThisForm(presenter, 'a list', 'List');
  return JSON.stringify({
    kind: 'PartialObjectMetadataList',
    apiVersion: as.version,
    metadata,
    items: objects.map((object) => partial(object, as.version)),
  });
}

/** Items of built-in lists do not repeat their kind. */
function itemText(resource: Resource, stored: Stored): string {
  const text = textOf(resource, stored);
  if (resource.custom) return text;
  const head = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))},`;
  return text.startsWith(head) ? `{${text.slice(head.length)}` : text;
}

export function table(
  presenter: Presenter,
  version: string,
  metadata: JsonObject,
  objects: readonly KubeObject[],
  withColumns: boolean,
): JsonObject {
  const rules = presenter.resource.table ?? plainTable;
  const columns = rules.columns.map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description ?? '',
    priority: column.priority,
  }));
  return {
    kind: 'Table',
    apiVersion: version,
    metadata,
    columnDefinitions: withColumns ? columns : null,
    rows: objects.map((object) => {
      const conditions = rules.conditions?.(object) ?? [];
      return {
        cells: rules.cells(object, presenter.now),
        ...(conditions.length > 0 ? { conditions } : {}),
        object: rowObject(presenter, object, version),
      };
    }) as unknown as JsonObject[],
  };
}

function rowObject(presenter: Presenter, object: KubeObject, version: string): JsonObject | null {
  if (presenter.include === 'None') return null;
  return presenter.include === 'Object' ? (object as unknown as JsonObject) : partial(object, version);
}

function partial(object: KubeObject, version: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: version, metadata: object.metadata };
}
