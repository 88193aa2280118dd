import type { AppProject } from '@fairlead/api';
import type { Tree } from '@fairlead/render';
import { type SourceAsk, SourceError, sameHost, withNetworks } from '@fairlead/source';
import { allowedNetworksOf } from '../../project/allowed-networks.ts';
import type { SourceReader } from '../../reconcile-env.ts';
import type { RepositoryAccess } from '../../source/repository-access.ts';
import { type Signatures, verifySource } from '../../source/signatures.ts';
import { fileMatcher } from './file-pattern.ts';
import { TreeIndex } from './tree-index.ts';

/** For whom a repository is read. */
export interface GitAsk {
  /** Ask the server for its refs, whatever is cached. */
  readonly fresh: boolean;
  /** Absent when it is not known; only what serves all projects opens the repository then. */
  readonly project?: AppProject;
}

/** Repositories as the Git generator sees them. */
export interface GitReader {
  project(name: string): AppProject | undefined;
  /** All directories but hidden ones, sorted. */
  directories(repoURL: string, revision: string, ask: GitAsk): Promise<readonly string[]>;
  /** The files that a pattern selects, with their content. */
  files(repoURL: string, revision: string, pattern: string, ask: GitAsk): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface GitReaderOptions {
  readonly sources: SourceReader;
  readonly access: Pick<RepositoryAccess, 'credentialsFor'>;
  /** Without them, commits are read whether they are signed or not: for a preview, which deploys nothing. */
  readonly signatures?: Signatures;
  readonly project: (name: string) => AppProject | undefined;
  /** Whether `**` is for any number of directories, and `*` for one. */
  readonly newGlobbing: () => boolean;
}

/** Reads through the sources of Applications: a repository is fetched once for both. */
export function createGitReader({ sources, access, signatures, project, newGlobbing }: GitReaderOptions): GitReader {
  const index = new TreeIndex();

  async function treeAt(repoURL: string, revision: string, ask: GitAsk): Promise<{ tree: Tree; commit: string }> {
    const source = { repoURL };
    const to = sourceAsk(repoURL, ask);
    const commit = await sources.resolve(source, revision, { ...to, fresh: ask.fresh }).catch((error: unknown) => {
      throw explain(error, revision);
    });
    if (ask.project && signatures) {
      const verified = { source, requested: revision, revision: commit, ask: to };
      await verifySource({ sources, signatures }, ask.project, verified);
    }
    return { tree: await sources.tree(source, commit, to), commit: `${sources.keyOf(source)} ${commit}` };
  }

  function sourceAsk(repoURL: string, { project: asking }: GitAsk): SourceAsk {
    const name = asking?.metadata.name ?? '';
    const networks = asking && allowedNetworksOf(asking);
    const credentials = withNetworks(access.credentialsFor(repoURL, name), networks);
    return {
      credentials,
      project: name,
      submodules(url) {
        const own = access.credentialsFor(url, name);
        return own || !sameHost(url, repoURL) ? withNetworks(own, networks) : credentials;
      },
    };
  }

  return {
    project,
    async directories(repoURL, revision, ask) {
      const { tree, commit } = await treeAt(repoURL, revision, ask);
      return index.directories(tree, commit);
    },
    async files(repoURL, revision, pattern, ask) {
      const { tree, commit } = await treeAt(repoURL, revision, ask);
      const matches = fileMatcher(pattern, newGlobbing());
      const found = new Map<string, Uint8Array>();
      for (const file of await index.files(tree, commit)) {
        const content = matches(file) ? await tree.read(file) : undefined;
        if (content) found.set(file, content);
      }
      return found;
    },
  };
}

/** The same message as from Argo CD's repo server. */
function explain(error: unknown, revision: string): unknown {
  if (!(error instanceof SourceError)) return error;
  const why =
    error.reason === 'RevisionNotFound'
      ? `unable to resolve '${revision}' to a commit SHA: revision not found`
      : error.reason === 'RepositoryNotFound'
        ? 'failed to list refs: repository not found'
        : error.message;
  return new SourceError(error.reason, `rpc error: code = Internal desc = unable to resolve git revision : ${why}`);
}
