import { join } from 'node:path';
import { limits } from '@fairlead/kube';
import type { Tree } from '@fairlead/render';
import { TreeCache } from './archive/tree-cache.ts';
import { ContentCache } from './cache/content-cache.ts';
import { DiskBudget } from './cache/disk-budget.ts';
import { Charts, isRegistry, type ListedChart } from './charts/charts.ts';
import { IndexStore } from './charts/index-store.ts';
import type { RepositoryCredentials } from './credentials/credentials.ts';
import { RepositoryTokens } from './credentials/tokens/repository-tokens.ts';
import { RemoteFiles } from './files/remote-files.ts';
import type { CommitMetadata } from './git/commit-metadata.ts';
import { normalizeGitUrl } from './git/git-url.ts';
import { LfsObjects, withLfs } from './git/lfs.ts';
import type { GitRefs } from './git/ref-names.ts';
import { createRepositories, type Repositories, type RepositoriesOptions, type Signable } from './git/repositories.ts';
import { withSubmodules } from './git/submodules.ts';
import { HttpSession } from './http/http-session.ts';
import { FollowRedirects } from './network/follow-redirects.ts';
import { Artifacts } from './oci/artifacts.ts';
import { SourceFetches } from './tasks/source-fetches.ts';

/** The location of an Application's source. */
export interface SourceAddress {
  readonly repoURL: string;
  /** A chart of that name in a chart repository; without it, `oci://` is an artifact and everything else is Git. */
  readonly chart?: string | undefined;
}

export interface SourceAsk {
  readonly credentials?: RepositoryCredentials | undefined;
  /** The project that reads the source: each has its own lane of fetches. */
  readonly project?: string | undefined;
  readonly fresh?: boolean;
  readonly passCredentials?: boolean;
  /** The credentials of a submodule's repository; throws if it may not be read. Without it, submodules are not read. */
  readonly submodules?: (url: string) => RepositoryCredentials | undefined;
  /** Throws if the project does not permit an address that a server redirects to. Without it, all redirects are followed. */
  readonly permitRedirect?: (url: string) => void;
}

export interface TestedRepository {
  readonly url: string;
  /** `registry`: charts in a registry. */
  readonly kind: 'git' | 'charts' | 'registry' | 'artifact';
}

/** The sources of Applications: resolves revisions, and reads the files of a revision. */
export interface Sources {
  kindOf(source: SourceAddress): 'git' | 'chart' | 'artifact';
  /** A commit, a chart's version, or an artifact's digest. */
  resolve(source: SourceAddress, revision: string, ask?: SourceAsk): Promise<string>;
  tree(source: SourceAddress, revision: string, ask?: SourceAsk): Promise<Tree>;
  /** The object that must be signed for a Git revision; undefined for other sources. */
  signable(source: SourceAddress, revision: string, commit: string, ask?: SourceAsk): Promise<Signable | undefined>;
  /** A single file by HTTP, as a tree with it under the name `remoteFile`. */
  file(url: string, ask?: SourceAsk): Promise<Tree>;
  /** The canonical address of a source; for Git, the one that `onChange` reports. */
  keyOf(source: SourceAddress): string;
  /** What a commit of a Git repository says of itself. */
  commit(repoUrl: string, commit: string, ask?: SourceAsk): Promise<CommitMetadata>;
  /** The annotations of an artifact. */
  annotations(repoUrl: string, digest: string, ask?: SourceAsk): Promise<Readonly<Record<string, string>>>;
  /** Reports when a ref of a Git repository in use changes. */
  onChange(listener: (repository: string) => void): () => void;
  /** Checks the refs of a Git repository at once. */
  invalidate(repoUrl: string): Promise<void>;
  /** Reads a little of a repository from its server now, and keeps nothing. Throws if that fails. */
  test(repository: TestedRepository, ask?: SourceAsk): Promise<void>;
  /** The branches and tags of a Git repository. */
  refs(repoUrl: string, ask?: SourceAsk): Promise<GitRefs>;
  /** The charts of a chart repository. */
  listCharts(repoUrl: string, ask?: SourceAsk): Promise<readonly ListedChart[]>;
  /** The tags of an artifact. */
  tags(repoUrl: string, ask?: SourceAsk): Promise<readonly string[]>;
  readonly repositories: Repositories;
  readonly charts: Charts;
  readonly artifacts: Artifacts;
  close(): void;
}

export interface SourcesOptions extends RepositoriesOptions {
  /** Disk space for archives of charts and artifacts; 2 GiB by default. */
  readonly maxArchiveBytes?: number;
  /** Memory for unpacked archives; 256 MiB by default. */
  readonly maxTreeBytes?: number;
}

export function createSources(options: SourcesOptions): Sources {
  const { cacheDir, clock, pollMs, environment, trust } = options;
  const http = new HttpSession({ clock, environment, ...(trust ? { trust } : {}) });
  const repositories = createRepositories({ ...options, cacheDir: join(cacheDir, 'git'), http });
  const lfs = new LfsObjects(http, new RepositoryTokens({ http, clock, environment }));
  const redirects = new FollowRedirects();
  const archives = join(cacheDir, 'archives');
  const disk = new DiskBudget({ dir: archives, maxBytes: options.maxArchiveBytes ?? limits.archiveCacheBytes, clock });
  const cache = new ContentCache(archives, disk);
  const trees = new TreeCache(options.maxTreeBytes ?? limits.archiveMemoryBytes);
  const fetches = new SourceFetches({ clock, pollMs });
  const artifacts = new Artifacts({ http, clock, cache, trees, fetches, pollMs });
  const indexes = new IndexStore({ http, clock, dir: join(cacheDir, 'indexes'), fetches, pollMs });
  const charts = new Charts({ http, indexes, artifacts, cache, trees, fetches });
  const files = new RemoteFiles({ http, clock, fetches, pollMs });

  const kindOf = ({ repoURL, chart }: SourceAddress): 'git' | 'chart' | 'artifact' =>
    chart ? 'chart' : /^oci:\/\//iu.test(repoURL.trim()) ? 'artifact' : 'git';

  async function gitTreeOf(repoURL: string, commit: string, ask: SourceAsk): Promise<Tree> {
    const { submodules, credentials } = ask;
    const plain = await repositories.tree(repoURL, commit, ask);
    const tree = credentials?.lfs
      ? withLfs(plain, (pointer, path) => lfs.read(repoURL, pointer, path, credentials))
      : plain;
    if (!submodules) return tree;
    return withSubmodules(tree, repoURL, (url, at) =>
      redirects.follow(url, { ...ask, credentials: submodules(url) }, (to, asked) => repositories.tree(to, at, asked)),
    );
  }

  return {
    kindOf,
    async resolve(source, revision, ask = {}) {
      const { chart = '' } = source;
      return redirects.follow(source.repoURL, ask, (repoURL, asked) => {
        switch (kindOf(source)) {
          case 'chart':
            return charts.resolve({ repoURL, chart }, revision, asked);
          case 'artifact':
            return artifacts.resolve(repoURL, revision, asked);
          case 'git':
            return repositories.resolve(repoURL, revision, asked);
        }
      });
    },
    async tree(source, revision, ask = {}) {
      const { chart = '' } = source;
      return redirects.follow(source.repoURL, ask, (repoURL, asked) => {
        switch (kindOf(source)) {
          case 'chart':
            return charts.tree({ repoURL, chart }, revision, asked);
          case 'artifact':
            return artifacts.tree(repoURL, revision, asked);
          case 'git':
            return gitTreeOf(repoURL, revision, asked);
        }
      });
    },
    signable: async (source, revision, commit, ask = {}) =>
      kindOf(source) === 'git'
        ? redirects.follow(source.repoURL, ask, (repoURL, asked) =>
            repositories.signable(repoURL, revision, commit, asked),
          )
        : undefined,
    file: (url, ask = {}) => redirects.follow(url, ask, (to, asked) => files.tree(to, asked)),
    keyOf(source) {
      if (kindOf(source) === 'git') return repositories.keyOf(source.repoURL);
      const scheme = isRegistry(source.repoURL) ? 'oci://' : '';
      const address = source.repoURL
        .trim()
        .replace(/^oci:\/\//iu, '')
        .replace(/\/+$/u, '');
      return `${scheme}${address}${source.chart ? `#${source.chart}` : ''}`;
    },
    commit: (repoUrl, commit, ask = {}) =>
      redirects.follow(repoUrl, ask, (url, asked) => repositories.commit(url, commit, asked)),
    annotations: (repoUrl, digest, ask = {}) =>
      redirects.follow(repoUrl, ask, (url, asked) => artifacts.annotations(url, digest, asked)),
    onChange: (listener) =>
      repositories.onChange((repository) => {
        for (const key of redirects.leadingTo(repository, normalizeGitUrl)) listener(key);
      }),
    async invalidate(repoUrl) {
      for (const url of [repoUrl, ...redirects.targetsOf(repoUrl)]) await repositories.invalidate(url);
    },
    test: ({ url, kind }, ask = {}) =>
      redirects.follow(url, ask, async (at, asked) => {
        if (kind === 'git') await repositories.test(at, asked);
        else if (kind === 'charts') await charts.test(at, asked);
        else await artifacts.ping(at, asked);
      }),
    refs: (repoUrl, ask = {}) => redirects.follow(repoUrl, ask, (url, asked) => repositories.refs(url, asked)),
    listCharts: (repoUrl, ask = {}) => redirects.follow(repoUrl, ask, (url, asked) => charts.list(url, asked)),
    tags: (repoUrl, ask = {}) => redirects.follow(repoUrl, ask, (url, asked) => artifacts.tags(url, asked)),
    repositories,
    charts,
    artifacts,
    close() {
      repositories.close();
      void http.close();
    },
  };
}
