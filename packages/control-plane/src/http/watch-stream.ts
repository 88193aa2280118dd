import type { ServerResponse } from 'node:http';
import { apiVersionOf, type Status } from '@fairlead/kube';
import type { StorageEvent, Stored } from '../storage/storage.ts';
import type { Api } from '../verbs/api.ts';
import { textOf, viewOf } from '../verbs/api.ts';
import { type WatchRequest, type WatchSink, watchObjects } from '../verbs/watch.ts';
import { type Presenter, presentObject, table } from './present.ts';

/** A watcher that lets this much pile up is dropped: it must list again, others must not wait. */
const maximumBacklog = 16 * 1024 * 1024;
const bookmarkEvery = 60_000;
/** A bookmark just before the end lets a client that comes back resume from here. */
const bookmarkBeforeEnd = 2_000;

/** Frames of plain watches are made once an event, whatever the number of watchers. */
const frames = new WeakMap<StorageEvent, Map<string, Buffer>>();

/** Serves a watch on an open response until the client goes, time is up, or the server stops. */
export function streamWatch(
  api: Api,
  request: WatchRequest,
  presenter: Presenter,
  response: ServerResponse,
  options: { timeoutMs: number; signal: AbortSignal },
): void {
  let columnsSent = false;
  let open = true;
  const send = (frame: string | Buffer): void => {
    if (!open) return;
    response.write(frame);
    if (response.writableLength > maximumBacklog) {
      expired('too old resource version: the watcher did not keep up');
    }
  };
  const expired = (message: string): void => {
    const status: Status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Expired',
      code: 410,
    };
    if (open) response.write(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    finish();
  };
  const object = (stored: Stored): string => {
    const { as } = presenter.representation;
    if (!as) return textOf(request.resource, stored);
    const view = viewOf(request.resource, stored);
    if (as.kind !== 'Table') return JSON.stringify(presentObject(presenter, view));
    const rows = table(
      { ...presenter, now: api.clock.now() },
      as.version,
      { resourceVersion: String(stored.revision) },
      [view],
      !columnsSent,
    );
    columnsSent = true;
    return JSON.stringify(rows);
  };
  const sink: WatchSink = {
    event(type, stored, source) {
      if (source && !presenter.representation.as && !request.resource.convert && !request.resource.onRead) {
        send(sharedFrame(type, stored, source));
      } else send(`{"type":"${type}","object":${object(stored)}}\n`);
    },
    bookmark(revision, initialEventsEnd) {
      const metadata = {
        resourceVersion: String(revision),
        ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      };
      const { as } = presenter.representation;
      const kind = as?.kind === 'Table' ? 'Table' : as ? 'PartialObjectMetadata' : request.resource.kind;
      const apiVersion = as ? as.version : apiVersionOf(request.resource);
      send(`${JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })}\n`);
    },
    expired,
  };

  const cancels: (() => void)[] = [];
  const finish = (): void => {
    if (!open) return;
    open = false;
    for (const cancel of cancels) cancel();
    response.end();
  };
  response.writeHead(200);
  response.flushHeaders();
  const watch = watchObjects(api, request, sink);
  cancels.push(() => watch.stop());
  if (!open) return watch.stop();
  cancels.push(api.clock.after(options.timeoutMs, finish));
  if (request.bookmarks) {
    const mark = () => sink.bookmark(watch.progress(), false);
    let cancelTick = () => {};
    const tick = () => {
      mark();
      cancelTick = api.clock.after(bookmarkEvery, tick);
    };
    cancelTick = api.clock.after(bookmarkEvery, tick);
    cancels.push(() => cancelTick());
    if (options.timeoutMs > bookmarkBeforeEnd)
      cancels.push(api.clock.after(options.timeoutMs - bookmarkBeforeEnd, mark));
  }
  options.signal.addEventListener('abort', finish, { once: true });
  cancels.push(() => options.signal.removeEventListener('abort', finish));
  response.on('close', finish);
}

function sharedFrame(type: string, stored: Stored, source: StorageEvent): Buffer {
  let byType = frames.get(source);
  if (!byType) frames.set(source, (byType = new Map()));
  let frame = byType.get(type);
  if (!frame) byType.set(type, (frame = Buffer.from(`{"type":"${type}","object":${stored.text}}\n`)));
  return frame;
}
