import { type FetchRemote, remoteFile } from '../source/remotes.ts';
import { normalizePath, type Tree } from '../tree/tree.ts';
import { KustomizeError } from './kustomize-error.ts';
import { isRemoteFile, parseRemote, type Remote } from './remote-address.ts';

export interface LoaderOptions {
  readonly fetchRemote?: FetchRemote;
  /** Files outside the kustomization's folder may be read. */
  readonly anyFile: boolean;
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
    return this.root === '' ? '.' : this.root;
  }

  async loadText(path: string): Promise<string> {
    return decoded(path, await this.load(path));
  }

  async load(path: string): Promise<Uint8Array> {
    if (isRemoteFile(path)) return this.loadRemote(path);
    const full = this.resolve(path);
    if (!this.options.anyFile && !isWithin(full, this.root))
      throw new KustomizeError(`security; file '${full}' is not in or below '${this.where}'`, 'PathOutsideTree');
    const content = await this.tree.read(full);
    if (content) return content;
    const entry = await this.tree.stat(full);
    const why = entry?.type === 'directory' ? 'must resolve to a file' : 'no such file';
    throw new KustomizeError(`'${full}': ${why}`, 'PathNotFound');
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
    if (entry?.type !== 'directory')
      throw new KustomizeError(
        `must build at directory: '${full}': ${entry ? 'file is not directory' : 'no such file or directory'}`,
        'PathNotFound',
      );
    for (let visited: Loader | undefined = this; visited; visited = visited.referrer) {
      if (visited.tree === this.tree && isWithin(visited.root, full))
        throw new KustomizeError(
          `cycle detected: candidate root '${full || '.'}' contains visited root '${visited.where}'`,
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
