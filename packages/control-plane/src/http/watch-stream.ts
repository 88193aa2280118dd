import type { ApiError } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { refuse } from '../errors.ts';
import type { Api } from '../verbs/api.ts';
import { type WatchRequest, watchObjects } from '../verbs/watch.ts';
import type { Presenter } from './present.ts';
import type { SharedWatches } from './shared-watches.ts';
import { Audience, type Watcher } from './watch-audience.ts';
import { watchFrames } from './watch-frames.ts';
import { type Lines, type Outgoing, openLines } from './wire.ts';

/** A watcher with a larger backlog is dropped: it must list again, and others must not wait. */
const maximumBacklog = 16 * 1024 * 1024;
const bookmarkEvery = 60_000;
/** A bookmark just before the end lets a reconnecting client resume from here. */
const bookmarkBeforeEnd = 2_000;

interface StreamOptions {
  readonly watches: SharedWatches;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Serves a watch on an open response until the client disconnects, the timeout passes, or the server stops. */
export async function streamWatch(
  api: Api,
  request: WatchRequest,
  presenter: Presenter,
  response: Outgoing,
  options: StreamOptions,
): Promise<void> {
  const lines = await openLines(response);
  if (lines) stream(api, request, presenter, response, lines, options);
}

function stream(
  api: Api,
  request: WatchRequest,
  presenter: Presenter,
  response: Outgoing,
  { to, framing }: Lines,
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
  /** Initial events are sent as fast as they are read: their size does not mean that the watcher is too slow. */
  let unreadAtFirst = Number.POSITIVE_INFINITY;
  const watcher: Watcher = {
    to,
    behind() {
      const unread = to.writableLength;
      unreadAtFirst = Math.min(unread, unreadAtFirst);
      if (open && unread > maximumBacklog + unreadAtFirst)
        failed(refuse.expired('too old resource version: the watcher did not keep up'));
    },
  };
  const audience = new Audience();
  const own = audience.join(watcher);

  const frames = watchFrames(api, request, presenter, framing, (frame) => audience.publish(frame));
  const failed = (error: ApiError): void => {
    frames.failed(error);
    finish();
  };
  const watch = watchObjects(api, request, { ...frames, failed });
  own.flush();
  if (!open) return;
  const seat = watches.join(request, presenter, framing, watcher);
  if (seat) {
    watch.stop();
    cancels.push(() => seat.leave());
  } else cancels.push(() => watch.stop());
  if (request.bookmarks) {
    const mark = (): void => {
      seat?.flush();
      frames.bookmark(watch.progress(), false);
      own.flush();
    };
    cancels.push(every(api.clock, bookmarkEvery, mark));
    if (timeoutMs > bookmarkBeforeEnd) cancels.push(api.clock.after(timeoutMs - bookmarkBeforeEnd, mark));
  }
  cancels.push(api.clock.after(timeoutMs, finish));
  signal.addEventListener('abort', finish, { once: true });
  cancels.push(() => signal.removeEventListener('abort', finish));
  response.once('close', finish);
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
