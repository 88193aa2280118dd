import { type FetchRemote, type RemoteRequest, RenderError, type Tree } from '@fairlead/render';
import type { RepositoryCredentials } from './credentials/credentials.ts';
import { SourceError } from './source-error.ts';
import type { SourceAsk, Sources } from './sources.ts';

/** The remote references that a source may read, and their credentials. */
export interface RemoteAccess {
  /** Throws a `RenderError` if an address may not be read. */
  permit(url: string): void;
  credentialsFor(url: string): RepositoryCredentials | undefined;
  /** The address of the chart repository with a name, as `@name` in the dependencies of a chart. */
  repositoryNamed(name: string): string | undefined;
  /** Resolve names again instead of using cached results. */
  readonly fresh?: boolean;
  readonly passCredentials?: boolean;
  /** The project that reads, for its lane of fetches. */
  readonly project?: string;
}

/** Fetches remote bases, files and charts. A forbidden address is not requested. */
export function remoteFetcher(sources: Pick<Sources, 'resolve' | 'tree' | 'file'>, access: RemoteAccess): FetchRemote {
  const { fresh = false, passCredentials = false } = access;
  const askFor = (url: string): SourceAsk => {
    access.permit(url);
    const submodules = (other: string) => askFor(other).credentials;
    const { project, permit: permitRedirect } = access;
    return { credentials: access.credentialsFor(url), project, fresh, passCredentials, submodules, permitRedirect };
  };

  async function chart({ repository, name, version }: RemoteRequest & { kind: 'chart' }): Promise<Tree> {
    const repoURL = addressOf(repository, access);
    const source = { repoURL, chart: name };
    try {
      const ask = askFor(repoURL);
      return await sources.tree(source, await sources.resolve(source, version, ask), ask);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      throw new SourceError(
        error.reason,
        `chart ${name}${version && ` ${version}`} of ${repository}: ${error.message}`,
      );
    }
  }

  async function file(url: string): Promise<Tree> {
    try {
      return await sources.file(url, askFor(url));
    } catch (error) {
      // Missing content is an error of the source, and may be the address of a repository instead.
      if (error instanceof SourceError && error.reason === 'RepositoryNotFound')
        throw new RenderError('PathNotFound', error.message);
      throw error;
    }
  }

  return async (request) => {
    switch (request.kind) {
      case 'chart':
        return chart(request);
      case 'file':
        return file(request.url);
      case 'repository': {
        const { repoURL, revision } = readAddress(request.url);
        const ask = askFor(repoURL);
        return sources.tree({ repoURL }, await sources.resolve({ repoURL }, revision, ask), ask);
      }
    }
  };
}

function addressOf(repository: string, { repositoryNamed }: RemoteAccess): string {
  const name = /^(?:@|alias:)(.*)$/su.exec(repository)?.[1];
  if (name === undefined) return repository;
  const address = repositoryNamed(name);
  if (address !== undefined) return address;
  throw new RenderError(
    'MissingDependency',
    `there is no chart repository named ${JSON.stringify(name)}: use its URL, or add a repository with that name`,
  );
}

/** `https://host/repo?ref=v1&timeout=9s` → the repository and the revision; `version` is an older name of `ref`. */
export function readAddress(address: string): { readonly repoURL: string; readonly revision: string } {
  const [repoURL = '', query = ''] = address.replace(/^git::/u, '').split(/\?(.*)/su);
  const asked = new URLSearchParams(query);
  return { repoURL, revision: asked.get('ref') ?? asked.get('version') ?? '' };
}
