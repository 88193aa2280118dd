import type { KubeObject } from '@fairlead/apimachinery';
import { type ApiClient, aborted, Reflector } from '@fairlead/kube';
import type { ControllerParts, ServedKind } from '../../parts.ts';
import { kindId } from '../served-kinds.ts';

interface Counted {
  readonly namespaceOf: Map<string, string>;
  readonly byNamespace: Map<string, number>;
  synced: boolean;
}

/** The number of objects of a kind in each namespace, watched from the first request. Objects are not cached. */
export class ObjectCounts {
  readonly #parts: Pick<ControllerParts, 'clock' | 'random' | 'log'>;
  readonly #client: ApiClient;
  readonly #changed: (namespace: string) => void;
  readonly #counted = new Map<string, Counted>();
  readonly #runs: Promise<void>[] = [];
  #signal: AbortSignal | undefined;

  constructor(parts: ControllerParts, client: ApiClient, changed: (namespace: string) => void) {
    this.#parts = parts;
    this.#client = client;
    this.#changed = changed;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await aborted(signal);
    await Promise.all(this.#runs);
  }

  /** Undefined until the kind has been counted once; `changed` is called when it has. */
  of(kind: ServedKind, namespace: string): number | undefined {
    const counted = this.#counted.get(kindId(kind)) ?? this.#follow(kind);
    return counted?.synced ? (counted.byNamespace.get(namespace) ?? 0) : undefined;
  }

  #follow(kind: ServedKind): Counted | undefined {
    if (!this.#signal) return undefined;
    const counted: Counted = { namespaceOf: new Map(), byNamespace: new Map(), synced: false };
    this.#counted.set(kindId(kind), counted);
    const change = (namespace: string, by: number): void => {
      counted.byNamespace.set(namespace, (counted.byNamespace.get(namespace) ?? 0) + by);
      this.#changed(namespace);
    };
    const seen = ({ metadata }: KubeObject): void => {
      const uid = metadata.uid ?? '';
      if (counted.namespaceOf.has(uid)) return;
      counted.namespaceOf.set(uid, metadata.namespace ?? '');
      change(metadata.namespace ?? '', 1);
    };
    const gone = (uid: string): void => {
      const namespace = counted.namespaceOf.get(uid);
      if (namespace === undefined) return;
      counted.namespaceOf.delete(uid);
      change(namespace, -1);
    };
    const sink = {
      seen,
      gone: (object: KubeObject) => gone(object.metadata.uid ?? ''),
      replace: (objects: readonly KubeObject[]) => {
        const present = new Set(objects.map(({ metadata }) => metadata.uid ?? ''));
        for (const uid of [...counted.namespaceOf.keys()]) if (!present.has(uid)) gone(uid);
        counted.synced = true;
        for (const object of objects) seen(object);
        this.#changed('');
      },
    };
    this.#runs.push(new Reflector(this.#client, kind, {}, sink, this.#parts).run(this.#signal));
    return counted;
  }
}
