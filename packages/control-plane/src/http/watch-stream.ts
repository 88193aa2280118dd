import type { ServerResponse } from 'node:http';
import { apiVersionOf, type Status } from '@fairlead/kube';
import type { StorageEvent, Stored } from '../storage/storage.ts';
import type { Api } from '../verbs/api.ts';
import { isShownAsKept, textOf, viewOf } from '../verbs/api.ts';
import { type WatchRequest, type WatchSink, watchObjects } from '../verbs/watch.ts';
import { type Presenter, presentObject, table } from './present.ts';
import { WatchOutputs } from './watch-output.ts';

/** A watcher that lets this much pile up is dropped: it must list again, others must not wait. */
const maximumBacklog = 16 * 1024 * 1024;
const bookmarkEvery = 60_000;
/** A bookmark just before the end lets a client that comes back resume from here. */
const bookmarkBeforeEnd = 2_000;

/** Frames of plain watches are made once an event, whatever the number of watchers. */
const frames = new WeakMap<StorageEvent, Map<string, Buffer>>();

const outputs = new WatchOutputs();

interface StreamOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Serves a watch on an open response until the client goes, time is up, or the server stops. */
export async function streamWatch(
  api: Api,
  request: WatchRequest,
  presenter: Presenter,
  response: ServerResponse,
  options: StreamOptions,
): Promise<void> {
  if (!response.socket) await handedOver(response);
  stream(api, request, presenter, response, options);
}

/**
 * A response has no socket while the one before it on the same connection is not quite out, which is usual when a watch that ended is taken
 * up again. What is written before it has one is lost.
 */
function handedOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    // The socket is handed over before this is told, and free to write to only after.
    response.once('socket', () => process.nextTick(resolve));
    response.once('close', resolve);
  });
}

function stream(
  api: Api,
  request: WatchRequest,
  presenter: Presenter,
  response: ServerResponse,
  options: StreamOptions,
): void {
  let columnsSent = false;
  let open = true;
  /** What was there at the beginning goes out as fast as it is read: it is no sign of falling behind, however much it is. */
  let initialBytes = 0;
  let listing = true;
  const output = outputs.to(
    () => response.socket,
    ({ writableLength }) => {
      if (!listing && writableLength < initialBytes) initialBytes = writableLength;
      if (writableLength > maximumBacklog + initialBytes)
        expired('too old resource version: the watcher did not keep up');
    },
  );
  const send = (frame: Buffer): void => {
    if (!open) return;
    if (listing) initialBytes += frame.length;
    output.add(frame);
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
    send(chunk(JSON.stringify({ type: 'ERROR', object: status })));
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
      if (source && !presenter.representation.as && isShownAsKept(request.resource, stored)) {
        send(sharedFrame(type, stored, source));
      } else send(chunk(`{"type":"${type}","object":${object(stored)}}`));
    },
    bookmark(revision, initialEventsEnd) {
      const metadata = {
        resourceVersion: String(revision),
        ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      };
      const { as } = presenter.representation;
      const kind = as?.kind === 'Table' ? 'Table' : as ? 'PartialObjectMetadata' : request.resource.kind;
      const apiVersion = as ? as.version : apiVersionOf(request.resource);
      send(chunk(JSON.stringify({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })));
    },
    expired,
  };

  const cancels: (() => void)[] = [];
  const finish = (): void => {
    if (!open) return;
    open = false;
    for (const cancel of cancels) cancel();
    output.flush();
    response.end();
  };
  response.setHeader('transfer-encoding', 'chunked');
  response.writeHead(200);
  response.flushHeaders();
  const watch = watchObjects(api, request, sink);
  listing = false;
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
