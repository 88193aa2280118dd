import { gvkSortText, kindRanks } from '../config/kind-order.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { gvkText, type ResId, sameGvk } from '../resource/res-id.ts';
import { ResMap } from '../resource/res-map.ts';

export interface SortOptions {
  readonly order?: string;
  readonly legacySortOptions?: { readonly orderFirst?: readonly string[]; readonly orderLast?: readonly string[] };
}

/** Sorts the objects for output. */
export function sortResources(map: ResMap, options: SortOptions): void {
  const { order, legacySortOptions } = options;
  if (order !== 'fifo' && order !== 'legacy')
    throw new KustomizeError("the field 'sortOptions.order' must be one of [fifo, legacy]");
  if (order === 'fifo') {
    if (legacySortOptions)
      throw new KustomizeError(
        "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'",
      );
    return;
  }
  const ranks = legacySortOptions
    ? kindRanks(legacySortOptions.orderFirst ?? [], legacySortOptions.orderLast ?? [])
    : kindRanks();
  const sorted = map.resources.map((resource) => ({ resource, id: resource.id }));
  sorted.sort((a, b) => compareIds(a.id, b.id, ranks));
  const result = new ResMap();
  result.appendAll(sorted.map(({ resource }) => resource));
  map.resources = result.resources;
}

function compareIds(a: ResId, b: ResId, ranks: ReadonlyMap<string, number>): number {
  if (sameGvk(a, b)) return compareTexts(sortText(a), sortText(b));
  const [x, y] = [ranks.get(a.kind) ?? 0, ranks.get(b.kind) ?? 0];
  if (x !== y) return x - y;
  const order = compareTexts(gvkSortText(a), gvkSortText(b));
  const coreNamespace = a.kind === 'Namespace' && b.kind === 'Namespace' && (a.group === '' || b.group === '');
  return coreNamespace ? -order : order;
}

const sortText = (id: ResId): string => `${gvkText(id)}|${id.namespace || '~X'}|${id.name || '~N'}`;
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
