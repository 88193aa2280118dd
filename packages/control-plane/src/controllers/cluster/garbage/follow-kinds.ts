import type { KubeObject } from '@fairlead/apimachinery';
import { aborted, Reflector, type ReflectorSink } from '@fairlead/kube';
import type { ControllerParts, ServedKind } from '../../parts.ts';
import { ownableKinds } from '../served-kinds.ts';

/** Receives the changes of every object of every kind. For a deleted object, only the kind and uid are known. */
export interface KindsListener {
  seen(kind: ServedKind, object: KubeObject): void;
  gone(uid: string): void;
}

interface Followed {
  readonly uids: Set<string>;
  readonly stop: AbortController;
}

/** Watches all served kinds, also those added later, without caching their objects. Resolves when the signal aborts. */
export async function followKinds(
  parts: Pick<ControllerParts, 'kinds' | 'onKindsChanged' | 'clock' | 'random' | 'log'>,
  client: ConstructorParameters<typeof Reflector>[0],
  listener: KindsListener,
  signal: AbortSignal,
): Promise<void> {
  const followed = new Map<string, Followed>();
  const runs = new Set<Promise<void>>();
  const update = (): void => {
    if (signal.aborted) return;
    const kinds = ownableKinds(parts.kinds());
    for (const [id, { uids, stop }] of followed) {
      if (kinds.has(id)) continue;
      followed.delete(id);
      stop.abort();
      for (const uid of uids) listener.gone(uid);
    }
    for (const [id, kind] of kinds) {
      if (followed.has(id)) continue;
      const entry: Followed = { uids: new Set(), stop: new AbortController() };
      followed.set(id, entry);
      const reflector = new Reflector(client, kind, {}, sinkFor(kind, entry.uids, listener), parts);
      const run = reflector.run(AbortSignal.any([signal, entry.stop.signal]));
      runs.add(run);
      void run.finally(() => runs.delete(run));
    }
  };
  update();
  parts.onKindsChanged(update);
  await aborted(signal);
  await Promise.all(runs);
}

function sinkFor(kind: ServedKind, uids: Set<string>, listener: KindsListener): ReflectorSink {
  const uidOf = (object: KubeObject): string => object.metadata.uid ?? '';
  const seen = (object: KubeObject): void => {
    uids.add(uidOf(object));
    listener.seen(kind, object);
  };
  const gone = (uid: string): void => {
    uids.delete(uid);
    listener.gone(uid);
  };
  return {
    seen,
    gone: (object) => gone(uidOf(object)),
    replace(objects) {
      const present = new Set(objects.map(uidOf));
      for (const uid of [...uids]) if (!present.has(uid)) gone(uid);
      for (const object of objects) seen(object);
    },
  };
}
