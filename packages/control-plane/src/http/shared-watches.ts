import type { Resource } from '../resource.ts';
import type { Api } from '../verbs/api.ts';
import { type WatchRequest, watchObjects } from '../verbs/watch.ts';
import type { Presenter } from './present.ts';
import { Audience, type Seat, type Watcher } from './watch-audience.ts';
import { watchFrames } from './watch-frames.ts';
import type { Framing } from './wire.ts';

interface Shared {
  readonly audience: Audience;
  stop(): void;
}

/**
 * One watch of the storage for all clients with the same request: each event is filtered, presented and framed once for all of them. Each
 * client reads the initial events on its own, and joins where they end.
 */
export class SharedWatches {
  readonly #api: Api;
  /** By resource and selection. */
  readonly #watches = new Map<Resource, Map<string, Shared>>();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Joins a watcher that has received everything published so far. Undefined if the request cannot share a watch. */
  join(request: WatchRequest, presenter: Presenter, framing: Framing, watcher: Watcher): Seat | undefined {
    // The first event of a table has the columns. A watch from a future revision must not receive earlier events.
    if (presenter.representation.as?.kind === 'Table') return undefined;
    if (Number(request.resourceVersion) > this.#api.storage.revision) return undefined;
    const { resource } = request;
    const key = keyOf(request, presenter, framing);
    const watches = this.#watches.get(resource) ?? new Map<string, Shared>();
    const shared = watches.get(key) ?? this.#begin(request, presenter, framing);
    this.#watches.set(resource, watches.set(key, shared));
    const { audience } = shared;
    const seat = audience.join(watcher);
    return {
      flush: seat.flush,
      leave: () => {
        seat.leave();
        if (!audience.isEmpty) return;
        shared.stop();
        watches.delete(key);
        if (watches.size === 0) this.#watches.delete(resource);
      },
    };
  }

  #begin(request: WatchRequest, presenter: Presenter, framing: Framing): Shared {
    const audience = new Audience();
    const resourceVersion = String(this.#api.storage.revision);
    const fromNow = { ...request, resourceVersion, sendInitialEvents: false, bookmarks: false };
    const watch = watchObjects(this.#api, fromNow, {
      ...watchFrames(this.#api, request, presenter, framing, (frame) => audience.publish(frame)),
      failed(error) {
        throw new Error('a watch from now on cannot fail', { cause: error });
      },
    });
    return { audience, stop: () => watch.stop() };
  }
}

/** Equal for watches that receive the same frames. */
function keyOf({ namespace, labels, fields }: WatchRequest, { representation }: Presenter, framing: Framing): string {
  return JSON.stringify([namespace, labels.requirements, fields.terms, representation.as, framing]);
}
