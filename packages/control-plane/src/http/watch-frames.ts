import { apiVersionOf, type Status } from '@fairlead/kube';
import type { StorageEvent, Stored } from '../storage/storage.ts';
import { type Api, isShownAsKept, textOf, viewOf } from '../verbs/api.ts';
import type { WatchRequest, WatchSink } from '../verbs/watch.ts';
import { type Presenter, presentObject, table } from './present.ts';

/** Frames of plain watches are made once an event, whatever the number of watchers and of the namespaces that they look at. */
const plainFrames = new WeakMap<StorageEvent, Map<string, Buffer>>();

/** What a watch tells, as the lines that its client wants to read. */
export function watchFrames(
  api: Api,
  { resource }: WatchRequest,
  presenter: Presenter,
  send: (frame: Buffer) => void,
): Omit<WatchSink, 'expired'> {
  const { as } = presenter.representation;
  let columnsSent = false;
  const object = (stored: Stored): string => {
    if (!as) return textOf(resource, stored);
    const view = viewOf(resource, stored);
    if (as.kind !== 'Table') return JSON.stringify(presentObject(presenter, view));
    const metadata = { resourceVersion: String(stored.revision) };
    const rows = table({ ...presenter, now: api.clock.now() }, as.version, metadata, [view], !columnsSent);
    columnsSent = true;
    return JSON.stringify(rows);
  };
  return {
    event(type, stored, source) {
      if (source && !as && isShownAsKept(resource, stored)) send(plainFrame(type, stored, source));
      else send(chunk(`{"type":"${type}","object":${object(stored)}}`));
    },
    bookmark(revision, initialEventsEnd) {
      const metadata = {
        resourceVersion: String(revision),
        ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      };
      const kind = as?.kind === 'Table' ? 'Table' : as ? 'PartialObjectMetadata' : resource.kind;
      const apiVersion = as ? as.version : apiVersionOf(resource);
      send(chunk(JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })));
    },
  };
}

/** The last line of a watch whose client must list again. */
export function expiredFrame(message: string): Buffer {
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Expired',
    code: 410,
  };
  return chunk(JSON.stringify({ type: 'ERROR', object: status }));
}

function plainFrame(type: string, stored: Stored, source: StorageEvent): Buffer {
  let byType = plainFrames.get(source);
  if (!byType) plainFrames.set(source, (byType = new Map()));
  let frame = byType.get(type);
  if (!frame) byType.set(type, (frame = chunk(`{"type":"${type}","object":${stored.text}}`)));
  return frame;
}

/**
 * One line of a watch as a chunk of HTTP/1.1. It is framed here, once an event, and written to the socket as it is: framing it again for each
 * watcher costs more than everything else.
 */
function chunk(line: string): Buffer {
  const length = Buffer.byteLength(line) + 1;
  return Buffer.from(`${length.toString(16)}\r\n${line}\n\r\n`);
}
