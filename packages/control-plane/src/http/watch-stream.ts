import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@fairlead/kube';
import type { Api } from '../verbs/api.ts';
import { type WatchRequest, watchObjects } from '../verbs/watch.ts';
import type { Presenter } from './present.ts';
import type { SharedWatches } from './shared-watches.ts';
import { Audience, type Watcher } from './watch-audience.ts';
import { expiredFrame, watchFrames } from './watch-frames.ts';

/** A watcher that lets this much pile up is dropped: it must list again, others must not wait. */
const maximumBacklog = 16 * 1024 * 1024;
const bookmarkEvery = 60_000;
/** A bookmark just before the end lets a client that comes back resume from here. */
const bookmarkBeforeEnd = 2_000;

interface StreamOptions {
  readonly watches: SharedWatches;
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
  if (response.socket) stream(api, request, presenter, response, response.socket, options);
}

/**
 * A response has no socket while the one before it on the same connection is not quite out, which is usual when a watch that ended is taken
 * up again. What is written before it has one is lost. One whose client has gone never gets one.
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
  socket: Socket,
  { watches, timeoutMs, signal }: StreamOptions,
): void {
  let open = true;
  const cancels: (() => void)[] = [];
  const finish = (): void => {
    if (!open) return;
    open = false;
    for (const cancel of cancels) cancel();
    own.flush();
    response.end();
  };
  const expired = (message: string): void => {
    own.tell(expiredFrame(message));
    finish();
  };
  /** What was there at the beginning goes out as fast as it is read: it is no sign of falling behind, however much it is. */
  let unreadAtFirst = Number.POSITIVE_INFINITY;
  const watcher: Watcher = {
    socket,
    behind() {
      const unread = socket.writableLength;
      unreadAtFirst = Math.min(unread, unreadAtFirst);
      if (open && unread > maximumBacklog + unreadAtFirst)
        expired('too old resource version: the watcher did not keep up');
    },
  };
  const own = new Audience();
  own.join(watcher);

  response.setHeader('transfer-encoding', 'chunked');
  response.writeHead(200);
  response.flushHeaders();
  const sink = { ...watchFrames(api, request, presenter, (frame) => own.tell(frame)), expired };
  const watch = watchObjects(api, request, sink);
  own.flush();
  if (!open) return;
  const seat = watches.join(request, presenter, watcher);
  if (seat) {
    watch.stop();
    cancels.push(() => seat.leave());
  } else cancels.push(() => watch.stop());
  if (request.bookmarks) {
    const mark = (): void => {
      seat?.flush();
      sink.bookmark(watch.progress(), false);
      own.flush();
    };
    cancels.push(every(api.clock, bookmarkEvery, mark));
    if (timeoutMs > bookmarkBeforeEnd) cancels.push(api.clock.after(timeoutMs - bookmarkBeforeEnd, mark));
  }
  cancels.push(api.clock.after(timeoutMs, finish));
  signal.addEventListener('abort', finish, { once: true });
  cancels.push(() => signal.removeEventListener('abort', finish));
  response.on('close', finish);
}

function every(clock: Clock, ms: number, run: () => void): () => void {
  let cancel = () => {};
  const next = (): void => {
    cancel = clock.after(ms, () => {
      run();
      next();
    });
  };
  next();
  return () => cancel();
}
