import { ApiError, find, isAlreadyExists, isNotFound, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import { copyChecksums } from '../core/content.ts';
import { kindInfo, kindsOf, type MirroredKind, type MirroredObject } from '../core/kinds.ts';
import { linkName, locationOf } from '../core/link-names.ts';
import { namespaceOf, type Side } from '../core/side.ts';
import { belongs } from '../core/translate.ts';

/** What informers have of a kind, by the name under which both sides know it. */
export interface InformerView {
  get(kind: MirroredKind, name: string): MirroredObject | undefined;
  list(kind: MirroredKind): readonly MirroredObject[];
}

/** What an informer has told of, as far as this side did it itself. */
export interface ObservedChange {
  /** It is this side's own last write, and nothing else. */
  readonly own: boolean;
  /** The other side knows all that it shows. */
  readonly settled: boolean;
}

interface Written {
  readonly object: MirroredObject;
  readonly until: number;
  readonly settled: boolean;
}

/** A write is believed for so long, unless the informer has it sooner. */
const writtenMs = 10_000;

/**
 * The objects of one side of one link: as informers know them, with this side's own writes on top until the informers have them too.
 * Reading it may give what was; every write says what it was based on, and fails when that is no more.
 */
export class MirrorStore {
  readonly side: Side;
  readonly #client: ApiClient;
  readonly #view: InformerView;
  readonly #clock: Clock;
  readonly #written = new Map<string, Written>();
  /** A write of these may have happened: only the server knows. */
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

  /** As `get`; asks the server where this side does not know what became of its last write. */
  async present(kind: MirroredKind, name: string): Promise<MirroredObject | undefined> {
    return this.#unsure.has(`${kind}/${name}`) ? this.read(kind, name) : this.get(kind, name);
  }

  /** From the server. */
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

  /** An informer has told of the object. */
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

  /** `settled`: the other side knows all that the object will show. */
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

  /** Refused by the server when the object is no longer the one that was read. */
  async replace(kind: MirroredKind, object: MirroredObject): Promise<MirroredObject> {
    return this.#write(kind, linkName(this.side, kind, object), () =>
      this.#client.replace<MirroredObject>(kindInfo[kind].type, object),
    );
  }

  /** Only exactly this object. */
  async remove(kind: MirroredKind, object: MirroredObject): Promise<void> {
    const { uid } = object.metadata;
    const name = linkName(this.side, kind, object);
    this.#written.delete(`${kind}/${name}`);
    const options = uid ? { preconditions: { uid } } : {};
    await find(this.#client.delete(kindInfo[kind].type, locationOf(this.side, kind, name), options));
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
      // Whatever else went wrong, the server may have done it.
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
