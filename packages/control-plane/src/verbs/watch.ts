import type { ApiError, FieldSelector, Selector } from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import type { Resource } from '../resource.ts';
import type { StorageEvent, Stored } from '../storage/storage.ts';
import type { Api } from './api.ts';
import { listObjects, matches, parseRevision } from './list.ts';

export interface WatchRequest {
  readonly resource: Resource;
  readonly namespace: string;
  readonly labels: Selector;
  readonly fields: FieldSelector;
  readonly resourceVersion: string;
  /** Undefined: the legacy behaviour, initial state unless a version is given. */
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
}

/** The sink of the events of a watch. Calls are in order, one turn of the event loop at a time. */
export interface WatchSink {
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', stored: Stored, source?: StorageEvent): void;
  bookmark(revision: number, initialEventsEnd: boolean): void;
  /** The last call: why the watch cannot start at the client's revision. */
  failed(error: ApiError): void;
}

export interface Watch {
  stop(): void;
  /** The revision up to which this watcher has received everything. */
  progress(): number;
}

/** Starts a watch: the initial state if requested, then all later events, without a gap. */
export function watchObjects(api: Api, request: WatchRequest, sink: WatchSink): Watch {
  const asked = parseRevision(request.resourceVersion);
  const initial = request.sendInitialEvents ?? asked === undefined;
  const selecting = request.labels.requirements.length > 0 || request.fields.terms.length > 0;
  let from = asked ?? api.storage.revision;
  if (initial) {
    if (request.sendInitialEvents && asked !== undefined && asked > api.storage.revision) {
      sink.failed(refuse.tooLargeRevision(asked, api.storage.revision));
      return { stop: () => {}, progress: () => api.storage.revision };
    }
    const page = listObjects(api, {
      ...request,
      limit: 0,
      continue: '',
      resourceVersion: '',
      resourceVersionMatch: '',
    });
    for (const stored of page.items) sink.event('ADDED', stored);
    from = page.revision;
    if (request.bookmarks) sink.bookmark(from, true);
  }
  const deliver = (event: StorageEvent): void => {
    if (event.revision <= from) return;
    if (request.namespace !== '' && event.stored.namespace !== request.namespace) return;
    if (!selecting) return sink.event(event.type, event.stored, event);
    transition(request, event, sink);
  };
  const subscription = api.storage.watch(request.resource.storage, Math.min(from, api.storage.revision), deliver);
  if (!subscription) {
    sink.failed(refuse.expired(`too old resource version: ${from} (${api.storage.oldest})`));
    return { stop: () => {}, progress: () => from };
  }
  return { stop: () => subscription.stop(), progress: () => Math.max(from, api.storage.revision) };
}

/** An object that starts or stops matching is added or deleted for this watcher. */
function transition(request: WatchRequest, event: StorageEvent, sink: WatchSink): void {
  const before = event.previous !== undefined && matches(request, event.previous);
  const after = event.type !== 'DELETED' && matches(request, event.stored);
  if (after) sink.event(before ? 'MODIFIED' : 'ADDED', event.stored);
  else if (before) sink.event('DELETED', event.type === 'DELETED' ? event.stored : lastMatch(event));
}

/** The last matching state, with the revision of the change that ended the match. */
function lastMatch(event: StorageEvent): Stored {
  const previous = event.previous!;
  const object = {
    ...previous.object,
    metadata: { ...previous.object.metadata, resourceVersion: String(event.revision) },
  };
  return { ...previous, revision: event.revision, object, text: JSON.stringify(object) };
}
