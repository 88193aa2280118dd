import { apiVersionOf } from '@fairlead/apimachinery';
import type { StorageEvent, Stored } from '../storage/storage.ts';
import { type Api, isShownAsKept, textOf, viewOf } from '../verbs/api.ts';
import type { WatchRequest, WatchSink } from '../verbs/watch.ts';
import { type Presenter, presentObject, table } from './present.ts';
import { type Framing, frameOf } from './wire.ts';

/** Frames of plain watches are created once per event, for any number of watchers and namespaces. */
const plainFrames = new WeakMap<StorageEvent, Map<string, Buffer>>();

/** The events of a watch as lines in the format of its client. */
export function watchFrames(
  api: Api,
  { resource }: WatchRequest,
  presenter: Presenter,
  framing: Framing,
  send: (frame: Buffer) => void,
): WatchSink {
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
      if (source && !as && isShownAsKept(resource, stored)) send(plainFrame(framing, type, stored, source));
      else send(frameOf(framing, `{"type":"${type}","object":${object(stored)}}`));
    },
    bookmark(revision, initialEventsEnd) {
      const metadata = {
        resourceVersion: String(revision),
        ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      };
      const kind = as?.kind === 'Table' ? 'Table' : as ? 'PartialObjectMetadata' : resource.kind;
      const apiVersion = as ? as.version : apiVersionOf(resource);
      send(frameOf(framing, JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })));
    },
    failed({ status }) {
      send(frameOf(framing, JSON.stringify({ type: 'ERROR', object: status })));
    },
  };
}

function plainFrame(framing: Framing, type: string, stored: Stored, source: StorageEvent): Buffer {
  let known = plainFrames.get(source);
  if (!known) plainFrames.set(source, (known = new Map()));
  const key = `${framing} ${type}`;
  let frame = known.get(key);
  if (!frame) known.set(key, (frame = frameOf(framing, `{"type":"${type}","object":${stored.text}}`)));
  return frame;
}
