import { memoryTree, type Tree } from '@fairlead/render';
import { type SourceAddress, SourceError } from '@fairlead/source';
import type { SourceReader } from '../../src/reconcile-env.ts';

/** Repositories with one branch each, in memory: these suites do not test Git. */
export class RepositoriesInMemory implements SourceReader {
  readonly #trees = new Map<string, Tree>();
  readonly #heads = new Map<string, string>();
  readonly #listeners = new Set<(repository: string) => void>();
  #commits = 0;

  commit(repository: string, files: Readonly<Record<string, string | Uint8Array>>): string {
    this.#commits += 1;
    const revision = this.#commits.toString(16).padStart(8, '0').padEnd(40, 'c');
    this.#trees.set(revision, memoryTree(files));
    this.#heads.set(repository, revision);
    for (const listener of this.#listeners) listener(repository);
    return revision;
  }

  async resolve({ repoURL }: SourceAddress, revision: string): Promise<string> {
    const found = this.#trees.has(revision) ? revision : this.#heads.get(repoURL);
    if (!found) throw new SourceError('RepositoryNotFound', `${repoURL} was not found`);
    return found;
  }

  async tree(_: SourceAddress, commit: string): Promise<Tree> {
    return this.#trees.get(commit)!;
  }

  async file(url: string): Promise<Tree> {
    throw new SourceError('RepositoryNotFound', `${url} was not found`);
  }

  onChange(listener: (repository: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  keyOf({ repoURL }: SourceAddress): string {
    return repoURL;
  }
}
