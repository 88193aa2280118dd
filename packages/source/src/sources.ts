import { join } from 'node:path';
import type { Tree } from '@fairlead/render';
import { TreeCache } from './archive/tree-cache.ts';
import { ContentCache } from './cache/content-cache.ts';
import { DiskBudget } from './cache/disk-budget.ts';
import { Charts, isRegistry } from './charts/charts.ts';
import { IndexStore } from './charts/index-store.ts';
import type { RepositoryCredentials } from './credentials/credentials.ts';
import { RemoteFiles } from './files/remote-files.ts';
import { createRepositories, type Repositories, type RepositoriesOptions, type Signable } from './git/repositories.ts';
import { withSubmodules } from './git/submodules.ts';
import { HttpSession } from './http/http-session.ts';
import { Artifacts } from './oci/artifacts.ts';

/** The part of an Application's source that says where its files are. */
export interface SourceAddress {
  readonly repoURL: string;
  /** A chart of that name in a chart repository; without it, `oci://` is an artifact and all else is Git. */
  readonly chart?: string | undefined;
}

export interface SourceAsk {
  readonly credentials?: RepositoryCredentials | undefined;
  readonly fresh?: boolean;
  readonly passCredentials?: boolean;
  /** What opens a repository that is a submodule, or an error where it may not be read. Submodules stay closed without. */
  readonly submodules?: (url: string) => RepositoryCredentials | undefined;
}

/** All that Applications are made from, whatever it lies in: a revision's name becomes a revision, a revision becomes a tree of files. */
export interface Sources {
  kindOf(source: SourceAddress): 'git' | 'chart' | 'artifact';
  /** A commit, a chart's version, or an artifact's digest. */
  resolve(source: SourceAddress, revision: string, ask?: SourceAsk): Promise<string>;
  tree(source: SourceAddress, revision: string, ask?: SourceAsk): Promise<Tree>;
  /** What must be signed for a revision of a Git source to count as signed; undefined for what is not Git. */
  signable(source: SourceAddress, revision: string, commit: string, ask?: SourceAsk): Promise<Signable | undefined>;
  /** A single file by HTTP, as a tree that holds it under the name `remoteFile`. */
  file(url: string, ask?: SourceAsk): Promise<Tree>;
  /** The one form of a source's address: for Git, that by which `onChange` speaks of it. */
  keyOf(source: SourceAddress): string;
  /** Tells when a name of a Git repository in use has moved. */
  onChange(listener: (repository: string) => void): () => void;
  /** Looks at a Git repository at once. */
  invalidate(repoUrl: string): Promise<void>;
  readonly repositories: Repositories;
  readonly charts: Charts;
  readonly artifacts: Artifacts;
  close(): void;
}

export interface SourcesOptions extends RepositoriesOptions {
  /** Room on disk for archives of charts and artifacts; 2 GiB when not given. */
  readonly maxArchiveBytes?: number;
  /** Room in memory for unpacked ones; 256 MiB when not given. */
  readonly maxTreeBytes?: number;
}

export function createSources(options: SourcesOptions): Sources {
  const { cacheDir, clock, pollMs, environment, trust } = options;
  const repositories = createRepositories({ ...options, cacheDir: join(cacheDir, 'git') });
  const http = new HttpSession({ clock, environment, ...(trust ? { trust } : {}) });
  const archives = join(cacheDir, 'archives');
  const disk = new DiskBudget({ dir: archives, maxBytes: options.maxArchiveBytes ?? 2 * 1024 ** 3, clock });
  const cache = new ContentCache(archives, disk);
  const trees = new TreeCache(options.maxTreeBytes ?? 256 * 1024 ** 2);
  const artifacts = new Artifacts({ http, clock, cache, trees, pollMs });
  const indexes = new IndexStore({ http, clock, dir: join(cacheDir, 'indexes'), pollMs });
  const charts = new Charts({ http, indexes, artifacts, cache, trees });
  const files = new RemoteFiles({ http, clock, pollMs });

  const kindOf = ({ repoURL, chart }: SourceAddress): 'git' | 'chart' | 'artifact' =>
    chart ? 'chart' : /^oci:\/\//iu.test(repoURL.trim()) ? 'artifact' : 'git';

  async function gitTreeOf(repoURL: string, commit: string, ask: SourceAsk): Promise<Tree> {
    const tree = await repositories.tree(repoURL, commit, ask);
    const { submodules } = ask;
    if (!submodules) return tree;
    return withSubmodules(tree, repoURL, (url, at) => repositories.tree(url, at, { credentials: submodules(url) }));
  }

  return {
    kindOf,
    async resolve(source, revision, ask = {}) {
      const { repoURL, chart = '' } = source;
      switch (kindOf(source)) {
        case 'chart':
          return charts.resolve({ repoURL, chart }, revision, ask);
        case 'artifact':
          return artifacts.resolve(repoURL, revision, ask);
        case 'git':
          return repositories.resolve(repoURL, revision, ask);
      }
    },
    async tree(source, revision, ask = {}) {
      const { repoURL, chart = '' } = source;
      switch (kindOf(source)) {
        case 'chart':
          return charts.tree({ repoURL, chart }, revision, ask);
        case 'artifact':
          return artifacts.tree(repoURL, revision, ask);
        case 'git':
          return gitTreeOf(repoURL, revision, ask);
      }
    },
    signable: async (source, revision, commit, ask = {}) =>
      kindOf(source) === 'git' ? repositories.signable(source.repoURL, revision, commit, ask) : undefined,
    file: (url, ask = {}) => files.tree(url, ask),
    keyOf(source) {
      if (kindOf(source) === 'git') return repositories.keyOf(source.repoURL);
      const scheme = isRegistry(source.repoURL) ? 'oci://' : '';
      const address = source.repoURL
        .trim()
        .replace(/^oci:\/\//iu, '')
        .replace(/\/+$/u, '');
      return `${scheme}${address}${source.chart ? `#${source.chart}` : ''}`;
    },
    onChange: (listener) => repositories.onChange(listener),
    invalidate: (repoUrl) => repositories.invalidate(repoUrl),
    repositories,
    charts,
    artifacts,
    close() {
      repositories.close();
      void http.close();
    },
  };
}
