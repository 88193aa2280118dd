import type { Application } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';

/**
 * Applications as this process knows them: from the watch, or from an answer to one of our own writes when the watch has not caught up
 * with it. Without this, a reconcile right after a write would decide on what was before it.
 */
export class ApplicationView {
  readonly #informer: Informer<Application>;
  readonly #written = new Map<string, Application>();
  /** What each was when we last wrote it. */
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

  /** Whether an Application is as this process last wrote it: nobody that we know of has changed it since. */
  isOwnWrite(application: Application): boolean {
    return this.#versions.get(keyOf(application)) === versionOf(application);
  }

  /** The answer to a write of ours. */
  wrote(application: Application): void {
    this.#written.set(keyOf(application), application);
    this.#versions.set(keyOf(application), versionOf(application));
  }
}

const versionOf = ({ metadata: { uid = '', resourceVersion = '' } }: Application): string =>
  `${uid} ${resourceVersion}`;

/** Resource versions of one object grow; where they are not numbers, the watch is trusted to be current. */
function isOlder(a: Application, b: Application): boolean {
  const [x = '', y = ''] = [a.metadata.resourceVersion, b.metadata.resourceVersion];
  return /^\d+$/u.test(x) && /^\d+$/u.test(y) && BigInt(x) < BigInt(y);
}
