import { type ApiClient, type Clock, Informer, type Logger, type Random, withoutManagedFields } from '@fairlead/kube';
import {
  gpgKeysName,
  kindInfo,
  type MirroredKind,
  type MirroredObject,
  repositorySecretTypes,
  secretTypeLabel,
} from '../core/kinds.ts';
import { destinationOf } from '../core/translate.ts';

export interface WatchedKind {
  readonly kind: MirroredKind;
  /** All namespaces if absent. */
  readonly namespace?: string;
}

export type ChangeListener = (
  kind: MirroredKind,
  old: MirroredObject | undefined,
  object: MirroredObject | undefined,
) => void;

/** The informers of one side. Listeners get changes, and not the objects that existed before: a resync finds those. */
export class SideWatch {
  readonly #informers = new Map<MirroredKind, Informer<MirroredObject>>();
  /** Of kinds that are watched in one namespace only. */
  readonly #namespaces = new Map<MirroredKind, string>();
  readonly #runs: Promise<void>[] = [];

  constructor(
    client: ApiClient,
    kinds: readonly WatchedKind[],
    shared: { readonly clock: Clock; readonly random: Random; readonly log?: Logger },
    listener: ChangeListener,
  ) {
    for (const { kind, namespace } of kinds) {
      const informer = new Informer<MirroredObject>(
        client,
        kindInfo[kind].type,
        {
          ...(namespace === undefined ? {} : { namespace }),
          ...selectorOf(kind),
        },
        { ...shared, transform: withoutManagedFields },
      );
      if (namespace !== undefined) this.#namespaces.set(kind, namespace);
      else informer.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? '']);
      if (kind === 'Application') informer.addIndex('destination', (object) => [destinationOf(object)]);
      informer.addHandler({
        // The first GPG keys may come later than everything else, because nothing waits for them.
        onAdd: (object, initial) => void ((initial && kind !== 'GPGKey') || listener(kind, undefined, object)),
        onUpdate: (old, object) => listener(kind, old, object),
        onDelete: (object) => listener(kind, object, undefined),
      });
      this.#informers.set(kind, informer);
    }
  }

  get hasSynced(): boolean {
    return this.#required.every((informer) => informer.hasSynced);
  }

  run(signal: AbortSignal): void {
    for (const informer of this.#informers.values()) this.#runs.push(informer.run(signal));
  }

  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#required.map((informer) => informer.waitForSync(signal)));
  }

  /** A process with the permissions of an earlier version cannot read the keys, and works without them. */
  get #required(): Informer<MirroredObject>[] {
    return [...this.#informers].flatMap(([kind, informer]) => (kind === 'GPGKey' ? [] : [informer]));
  }

  async stopped(): Promise<void> {
    await Promise.all(this.#runs);
  }

  get(kind: MirroredKind, namespace: string, name: string): MirroredObject | undefined {
    return this.#informers.get(kind)?.get(`${namespace}/${name}`);
  }

  list(kind: MirroredKind, namespace: string): readonly MirroredObject[] {
    const informer = this.#informers.get(kind);
    if (!this.#namespaces.has(kind)) return informer?.byIndex('namespace', namespace) ?? [];
    return this.#namespaces.get(kind) === namespace ? (informer?.list() ?? []) : [];
  }

  listAll(kind: MirroredKind): readonly MirroredObject[] {
    return this.#informers.get(kind)?.list() ?? [];
  }

  /** Applications of all namespaces whose destination has this name. */
  listByDestination(name: string): readonly MirroredObject[] {
    return this.#informers.get('Application')?.byIndex('destination', name) ?? [];
  }
}

function selectorOf(kind: MirroredKind): { labelSelector?: string; fieldSelector?: string } {
  if (kind === 'Repository') return { labelSelector: `${secretTypeLabel} in (${repositorySecretTypes.join(',')})` };
  return kind === 'GPGKey' ? { fieldSelector: `metadata.name=${gpgKeysName}` } : {};
}
