import { type FetchRemote, remoteFile } from '../source/remotes.ts';
import { normalizePath, type Tree } from '../tree/tree.ts';
import { KustomizeError } from './kustomize-error.ts';
import { isRemoteFile, parseRemote, type Remote } from './remote-address.ts';

export interface LoaderOptions {
  readonly fetchRemote?: FetchRemote;
  /** Files outside the kustomization's folder may be read. */
  readonly anyFile: boolean;
  /** A path of the tree as messages show it. */
  readonly show?: (path: string) => string;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

function decoded(path: string, content: Uint8Array): string {
  try {
    return decoder.decode(content);
  } catch {
    throw new KustomizeError(`'${path}': not UTF-8 text`);
  }
}

/** Reads the files that the kustomization of a folder refers to. */
export class Loader {
  readonly root: string;
  readonly tree: Tree;
  private readonly options: LoaderOptions;
  private readonly referrer: Loader | undefined;

  constructor(tree: Tree, root: string, options: LoaderOptions, referrer?: Loader) {
    this.tree = tree;
    this.root = root;
    this.options = options;
    this.referrer = referrer;
  }

  /** For messages. */
  get where(): string {
    return this.#shown(this.root);
  }

  #shown(path: string): string {
    return this.options.show?.(path) ?? (path || '.');
  }

  async loadText(path: string): Promise<string> {
    return decoded(path, await this.load(path));
  }

  async load(path: string): Promise<Uint8Array> {
    if (isRemoteFile(path)) return this.loadRemote(path);
    const full = this.resolve(path);
    const content = this.options.anyFile || isWithin(full, this.root) ? await this.tree.read(full) : undefined;
    if (content) return content;
    const entry = await this.tree.stat(full);
    if (!entry) throw new KustomizeError(await this.#missing(full), 'PathNotFound');
    if (entry.type === 'directory')
      throw new KustomizeError(`'${this.#shown(full)}' must resolve to a file`, 'PathNotFound');
    throw new KustomizeError(
      `security; file '${this.#shown(full)}' is not in or below '${this.where}'`,
      'PathOutsideTree',
    );
  }

  /** That a path does not exist, as Kustomize reports it. */
  async #missing(path: string): Promise<string> {
    const names = path.split('/');
    const parents = names.map((_, index) => names.slice(0, index + 1).join('/'));
    let first = path;
    for (const parent of parents.reverse()) if (!(await this.tree.stat(parent))) first = parent;
    return `evalsymlink failure on '${this.#shown(path)}' : lstat ${this.#shown(first)}: no such file or directory`;
  }

  private async loadRemote(url: string): Promise<Uint8Array> {
    const { fetchRemote } = this.options;
    if (!fetchRemote)
      throw new KustomizeError(
        `${url}: remote files are not permitted here. Copy it to the repository.`,
        'Unsupported',
      );
    return (await (await fetchRemote({ kind: 'file', url })).read(remoteFile)) ?? new Uint8Array();
  }

  async loadIfPresent(path: string): Promise<string | undefined> {
    const full = this.resolve(path);
    const entry = await this.tree.stat(full);
    if (entry?.type !== 'file') return undefined;
    return decoded(full, (await this.tree.read(full)) ?? new Uint8Array());
  }

  /** A loader for another folder or repository. A folder that contains this one is an error, since it would be a loop. */
  async at(path: string): Promise<Loader> {
    if (path === '') throw new KustomizeError('new root cannot be empty');
    const remote = parseRemote(path);
    if (remote) return this.atRemote(path, remote);
    const full = this.resolve(path);
    const entry = await this.tree.stat(full);
    if (entry?.type !== 'directory') {
      const why = entry
        ? `'${this.#shown(full)}': file is not directory`
        : `not a valid directory: ${await this.#missing(full)}`;
      throw new KustomizeError(`must build at directory: ${why}`, 'PathNotFound');
    }
    for (let visited: Loader | undefined = this; visited; visited = visited.referrer) {
      if (visited.tree === this.tree && isWithin(visited.root, full))
        throw new KustomizeError(
          `cycle detected: candidate root '${this.#shown(full)}' contains visited root '${visited.where}'`,
        );
    }
    return new Loader(this.tree, full, this.options, this);
  }

  private async atRemote(url: string, { repository, path }: Remote): Promise<Loader> {
    const { fetchRemote } = this.options;
    if (!fetchRemote)
      throw new KustomizeError(
        `${url}: remote bases are not permitted here: copy the base into the repository`,
        'Unsupported',
      );
    const depth = this.remoteDepth + 1;
    if (depth > 16) throw new KustomizeError(`${url}: remote bases refer to each other in a loop`);
    const tree = await fetchRemote({ kind: 'repository', url: repository });
    const loader = new Loader(tree, normalizePath(path), { ...this.options, anyFile: false }, this);
    if ((await tree.stat(loader.root))?.type !== 'directory')
      throw new KustomizeError(`${url}: there is no folder ${path} in the repository`, 'PathNotFound');
    return loader;
  }

  private get remoteDepth(): number {
    let depth = 0;
    for (let at: Loader | undefined = this; at?.referrer; at = at.referrer) if (at.tree !== at.referrer.tree) depth++;
    return depth;
  }

  private resolve(path: string): string {
    if (path.startsWith('/')) throw new KustomizeError(`new root '${path}' cannot be absolute`, 'PathOutsideTree');
    return normalizePath(this.root === '' ? path : `${this.root}/${path}`);
  }
}

const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);
