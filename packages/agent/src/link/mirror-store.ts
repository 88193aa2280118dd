import {
  ApiError,
  find,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  namespaceType,
  uidOf,
} from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import { copyChecksums } from '../core/content.ts';
import { kindInfo, kindsOf, type MirroredKind, type MirroredObject } from '../core/kinds.ts';
import { linkName, locationOf } from '../core/link-names.ts';
import { namespaceOf, type Side } from '../core/side.ts';
import { belongs } from '../core/translate.ts';

/** The objects of a kind in the informers' caches, by their names on the link. */
export interface InformerView {
  get(kind: MirroredKind, name: string): MirroredObject | undefined;
  list(kind: MirroredKind): readonly MirroredObject[];
}

/** How a change that an informer reports relates to this side's own writes. */
export interface ObservedChange {
  /** It is exactly this side's last write. */
  readonly own: boolean;
  /** The peer knows everything that the object contains. */
  readonly settled: boolean;
}

interface Written {
  readonly object: MirroredObject;
  readonly until: number;
  readonly settled: boolean;
}

/** An own write is used for this long, unless the informer reports it sooner. */
const writtenMs = 10_000;

/**
 * The objects of one side of a link: as in the informers' caches, with this side's own writes on top until the informers have them too.
 * A read may return an older state; every write is conditional on what it is based on, and fails if that has changed.
 */
export class MirrorStore {
  readonly side: Side;
  readonly #client: ApiClient;
  readonly #view: InformerView;
  readonly #clock: Clock;
  readonly #written = new Map<string, Written>();
  /** Objects for which a write may have succeeded without an answer: only the server knows. */
  readonly #unsure = new Set<string>();

  constructor(side: Side, client: ApiClient, view: InformerView, clock: Clock) {
    this.side = side;
    this.#client = client;
    this.#view = view;
    this.#clock = clock;
  }

  /** As last observed or written, whether part of this link or not. */
  get(kind: MirroredKind, name: string): MirroredObject | undefined {
    const observed = this.#view.get(kind, name);
    const key = `${kind}/${name}`;
    const written = this.#written.get(key);
    if (!written) return observed;
    const passed = written.until < this.#clock.now() || written.until > this.#clock.now() + writtenMs;
    if (passed || (observed && version(observed) >= version(written.object))) {
      this.#written.delete(key);
      return observed;
    }
    return written.object;
  }

  /** As `get`, but reads from the server if the result of the last write is unknown. */
  async present(kind: MirroredKind, name: string): Promise<MirroredObject | undefined> {
    return this.#unsure.has(`${kind}/${name}`) ? this.read(kind, name) : this.get(kind, name);
  }

  /** Reads from the server. */
  async read(kind: MirroredKind, name: string): Promise<MirroredObject | undefined> {
    const key = `${kind}/${name}`;
    const object = await find(this.#client.get<MirroredObject>(kindInfo[kind].type, locationOf(this.side, kind, name)));
    this.#unsure.delete(key);
    if (object) this.#note(kind, object);
    else this.#written.delete(key);
    return object;
  }

  belongs(kind: MirroredKind, object: MirroredObject): boolean {
    return belongs(this.side, kind, object, (name) => this.get('AppProject', name));
  }

  /** The objects that are part of this link. */
  list(kind: MirroredKind): MirroredObject[] {
    const observed = this.#view.list(kind);
    const fresh = [...this.#written].filter(([key]) => key.startsWith(`${kind}/`));
    const names = new Set(fresh.map(([key]) => key.slice(kind.length + 1)));
    const objects = observed.filter((object) => !names.has(linkName(this.side, kind, object)));
    for (const name of names) {
      const object = this.get(kind, name);
      if (object) objects.push(object);
    }
    return objects.filter((object) => this.belongs(kind, object));
  }

  *all(): Iterable<{ kind: MirroredKind; object: MirroredObject }> {
    for (const kind of kindsOf(this.side.mode)) for (const object of this.list(kind)) yield { kind, object };
  }

  /** An informer reports the object. */
  observe(kind: MirroredKind, object: MirroredObject, gone: boolean): ObservedChange {
    const key = `${kind}/${linkName(this.side, kind, object)}`;
    const written = this.#written.get(key);
    if (!written) return others;
    const same = written.object.metadata.uid === object.metadata.uid;
    if (gone ? same : version(object) >= version(written.object)) this.#written.delete(key);
    const own = !gone && same && version(object) === version(written.object);
    if (own) copyChecksums(written.object, object);
    return { own, settled: own && written.settled };
  }

  /** `settled`: the peer knows everything that the object will contain. */
  async create(kind: MirroredKind, object: MirroredObject, settled = false): Promise<MirroredObject> {
    const name = linkName(this.side, kind, object);
    const create = async () => {
      try {
        return await this.#client.create<MirroredObject>(kindInfo[kind].type, object);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await this.#makeNamespace(object.metadata.namespace ?? namespaceOf(this.side, kind));
        return this.#client.create<MirroredObject>(kindInfo[kind].type, object);
      }
    };
    return this.#write(kind, name, create, settled);
  }

  /** The server refuses the write if the object has changed since it was read. */
  async replace(kind: MirroredKind, object: MirroredObject): Promise<MirroredObject> {
    return this.#write(kind, linkName(this.side, kind, object), () =>
      this.#client.replace<MirroredObject>(kindInfo[kind].type, object),
    );
  }

  /** Deletes only the object with this uid. */
  async remove(kind: MirroredKind, object: MirroredObject): Promise<void> {
    const name = linkName(this.side, kind, object);
    this.#written.delete(`${kind}/${name}`);
    const preconditions = { uid: uidOf(object) };
    await find(this.#client.delete(kindInfo[kind].type, locationOf(this.side, kind, name), { preconditions }));
  }

  async #write(
    kind: MirroredKind,
    name: string,
    write: () => Promise<MirroredObject>,
    settled = false,
  ): Promise<MirroredObject> {
    try {
      const written = await write();
      this.#note(kind, written, settled);
      return written;
    } catch (error) {
      this.#written.delete(`${kind}/${name}`);
      // After any other error the server may have stored the write.
      if (!(error instanceof ApiError) || error.code >= 500) this.#unsure.add(`${kind}/${name}`);
      throw error;
    }
  }

  #note(kind: MirroredKind, object: MirroredObject, settled = false): void {
    this.#written.set(`${kind}/${linkName(this.side, kind, object)}`, {
      object,
      until: this.#clock.now() + writtenMs,
      settled,
    });
  }

  async #makeNamespace(name: string): Promise<void> {
    const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await this.#client.create(namespaceType, namespace).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}

const others: ObservedChange = { own: false, settled: false };

const version = (object: MirroredObject): number => Number(object.metadata.resourceVersion ?? 0);
