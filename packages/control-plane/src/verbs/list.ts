import type { FieldSelector, Selector } from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import type { Resource } from '../resource.ts';
import type { Stored } from '../storage/storage.ts';
import { type Api, viewOf } from './api.ts';

export interface ListRequest {
  readonly resource: Resource;
  /** Empty: all namespaces. */
  readonly namespace: string;
  readonly labels: Selector;
  readonly fields: FieldSelector;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
}

export interface Page {
  readonly items: readonly Stored[];
  readonly revision: number;
  readonly continue?: string;
  readonly remaining?: number;
}

/** One page of a list. All pages have the state at the revision of the first page. */
export function listObjects(api: Api, request: ListRequest): Page {
  const { storage } = api;
  const { resource, limit } = request;
  const from = request.continue ? decodeContinue(request.continue) : undefined;
  const asked = from ? from.revision : listRevision(request.resourceVersion);
  if (asked !== undefined && asked > storage.revision) throw refuse.tooLargeRevision(asked, storage.revision);

  const exact = from !== undefined || request.resourceVersionMatch === 'Exact';
  const revision = exact && asked ? asked : storage.revision;
  const all = exact && asked ? storage.listAt(resource.storage, revision, request.namespace || undefined) : undefined;
  if (exact && asked && !all) {
    throw refuse.expired(
      from
        ? 'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.'
        : 'The resourceVersion for the provided list is too old.',
    );
  }
  const candidates = all ?? storage.list(resource.storage, request.namespace || undefined);
  // A real server never paginates a list from its cache.
  const paged = limit > 0 && !(request.resourceVersion === '0' && !from);
  return page(request, candidates, revision, paged ? limit : Number.POSITIVE_INFINITY, from?.after);
}

function page(
  request: ListRequest,
  candidates: readonly Stored[],
  revision: number,
  limit: number,
  after: string | undefined,
): Page {
  const selecting = request.labels.requirements.length > 0 || request.fields.terms.length > 0;
  let start = after === undefined ? 0 : firstAfter(candidates, after);
  const items: Stored[] = [];
  for (; start < candidates.length && items.length < limit; start += 1) {
    const stored = candidates[start]!;
    if (!selecting || matches(request, stored)) items.push(stored);
  }
  if (items.length < limit || start >= candidates.length) return { items, revision };
  if (selecting && !candidates.slice(start).some((stored) => matches(request, stored))) return { items, revision };
  const last = candidates[start - 1]!;
  return {
    items,
    revision,
    continue: encodeContinue(revision, placeOf(last)),
    ...(selecting ? {} : { remaining: candidates.length - start }),
  };
}

export function matches(request: Pick<ListRequest, 'resource' | 'labels' | 'fields'>, stored: Stored): boolean {
  const object = request.fields.terms.length > 0 ? viewOf(request.resource, stored) : stored.object;
  return request.labels.matches(object.metadata.labels) && request.fields.matches(object);
}

const placeOf = (stored: Stored): string => `${stored.namespace}/${stored.name}`;

function firstAfter(candidates: readonly Stored[], place: string): number {
  const target = Buffer.from(place);
  let low = 0;
  let high = candidates.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(Buffer.from(placeOf(candidates[middle]!)), target) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isRevision = (text: string): boolean => /^\d*$/.test(text);
const noRevision = (text: string): string =>
  `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;

/** Of a read or a watch: a real server responds 500 if it is not a number. */
export function parseRevision(text: string): number | undefined {
  if (!isRevision(text)) throw refuse.storage(noRevision(text));
  return text === '' || text === '0' ? undefined : Number(text);
}

/** Of a list: it is rejected. */
function listRevision(text: string): number | undefined {
  if (!isRevision(text)) throw refuse.badRequest(`invalid resource version: ${noRevision(text)}`);
  return parseRevision(text);
}

const encodeContinue = (revision: number, after: string): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: after })).toString('base64url');

function decodeContinue(token: string): { revision: number; after: string } {
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: unknown; start: unknown };
    if (typeof rv === 'number' && typeof start === 'string') return { revision: rv, after: start };
  } catch {
    // Not one of our tokens: rejected below like any other.
  }
  throw refuse.badRequest('continue key is not valid: illegal base64 data');
}
