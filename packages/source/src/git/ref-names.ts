import type { RefReceiver } from './list-refs.ts';

/** The names of a repository's branches and tags. */
export interface GitRefs {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** Collects the names of branches and tags while they arrive. */
export class RefNames implements RefReceiver {
  readonly prefixes = ['refs/heads/', 'refs/tags/'];
  readonly #branches: string[] = [];
  readonly #tags: string[] = [];

  ref(name: string): void {
    if (name.startsWith('refs/heads/')) this.#branches.push(name.slice('refs/heads/'.length));
    else if (name.startsWith('refs/tags/')) this.#tags.push(name.slice('refs/tags/'.length));
  }

  get names(): GitRefs {
    return { branches: this.#branches.sort(), tags: this.#tags.sort() };
  }
}
