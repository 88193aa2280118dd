import type { Application } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';

/**
 * Applications as known to this process: from the watch, or from the response of our own last write if the watch is behind. Otherwise a
 * reconcile right after a write would use the state before it.
 */
export class ApplicationView {
  readonly #informer: Informer<Application>;
  readonly #written = new Map<string, Application>();
  /** The state of each after our last write. */
  readonly #versions = new Map<string, string>();

  constructor(informer: Informer<Application>) {
    this.#informer = informer;
    informer.addHandler({
      onDelete: (application) => {
        this.#written.delete(keyOf(application));
        this.#versions.delete(keyOf(application));
      },
    });
  }

  get(key: string): Application | undefined {
    const seen = this.#informer.get(key);
    const written = this.#written.get(key);
    if (!seen || !written) return seen;
    if (seen.metadata.uid === written.metadata.uid && isOlder(seen, written)) return written;
    this.#written.delete(key);
    return seen;
  }

  /** Whether an Application is unchanged since our last write, as far as this process knows. */
  isOwnWrite(application: Application): boolean {
    return this.#versions.get(keyOf(application)) === versionOf(application);
  }

  /** The response of a read that may be newer than the watch. */
  read(application: Application): void {
    this.#written.set(keyOf(application), application);
  }

  /** The response of our write. */
  wrote(application: Application): void {
    this.#written.set(keyOf(application), application);
    this.#versions.set(keyOf(application), versionOf(application));
  }
}

const versionOf = ({ metadata: { uid = '', resourceVersion = '' } }: Application): string =>
  `${uid} ${resourceVersion}`;

/** Resource versions of one object increase; if they are not numbers, the watch is assumed to be current. */
function isOlder(a: Application, b: Application): boolean {
  const [x = '', y = ''] = [a.metadata.resourceVersion, b.metadata.resourceVersion];
  return /^\d+$/u.test(x) && /^\d+$/u.test(y) && BigInt(x) < BigInt(y);
}
