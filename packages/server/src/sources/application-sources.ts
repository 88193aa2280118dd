import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import {
  allowedNetworksOf,
  asTargetStateError,
  type DesiredState,
  FailedRenders,
  loadDesiredState,
  permitSource,
  RepositoryAccess,
  type SourceReader,
  sourcesOf,
  TargetStateError,
} from '@fairlead/app-controller';
import {
  createManifestCache,
  type Renderer,
  type SourceType,
  sourceFolder,
  sourceTypeOf,
  type Tree,
} from '@fairlead/render';
import { type CommitMetadata, type SourceAsk, SourceError, type Sources, withNetworks } from '@fairlead/source';
import { invalidSpec } from '../applications/validate-application.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ServerState } from '../state/server-state.ts';

/** Reads sources, and what is in repositories. */
export type RepositoryReader = SourceReader &
  Pick<Sources, 'commit' | 'annotations' | 'test' | 'refs' | 'listCharts' | 'tags'>;

export interface ApplicationSourcesOptions {
  readonly reader: RepositoryReader;
  readonly renderer: Renderer;
  /** What templates may know of the cluster. */
  cluster(): Promise<{ readonly kubeVersion: string; readonly apiVersions: readonly string[] }>;
}

export interface LoadOptions {
  /** What templates may know of the destination, if it is known. */
  readonly capabilities?: { readonly kubeVersion?: string; readonly apiVersions?: readonly string[] };
  /** Whether names of revisions are resolved again, and what failed is tried again: yes, if it is not given. */
  readonly fresh?: boolean;
  /** Reads in place of the default one. */
  readonly reader?: SourceReader;
}

export type LoadedSources = DesiredState;

/** Reads and renders the sources of Applications, with the credentials of repositories and the rules of projects, as the controller does. */
export class ApplicationSources {
  readonly #state: ServerState;
  readonly #options: ApplicationSourcesOptions;
  readonly #access: RepositoryAccess;
  readonly #manifests: ReturnType<typeof createManifestCache>;
  readonly #failures: FailedRenders;

  constructor(state: ServerState, options: ApplicationSourcesOptions) {
    this.#state = state;
    this.#options = options;
    this.#access = new RepositoryAccess(state.secrets);
    this.#manifests = createManifestCache({ renderer: options.renderer });
    this.#failures = new FailedRenders(state.clock);
  }

  /** The commit or version that a revision resolves to. */
  async resolve(source: ApplicationSource, revision: string, project: AppProject): Promise<string> {
    const { name = '' } = project.metadata;
    const ask = { credentials: this.#access.credentialsFor(source.repoURL, name), project: name, fresh: true };
    try {
      return await this.#options.reader.resolve(source, revision, ask);
    } catch (error) {
      const failure = asTargetStateError(error, { source, index: 0, count: 1, requested: revision });
      const said = messageOf(failure).replace(/^Failed to load target state: .*? of \d+: /u, '');
      throw new RpcError('FailedPrecondition', `error resolving repo revision: ${said}`);
    }
  }

  get reader(): RepositoryReader {
    return this.#options.reader;
  }

  refs(repoURL: string, project: string): ReturnType<RepositoryReader['refs']> {
    return this.#options.reader.refs(repoURL, this.#ask(repoURL, project));
  }

  listCharts(repoURL: string, project: string): ReturnType<RepositoryReader['listCharts']> {
    return this.#options.reader.listCharts(repoURL, this.#ask(repoURL, project));
  }

  tags(repoURL: string, project: string): ReturnType<RepositoryReader['tags']> {
    return this.#options.reader.tags(repoURL, this.#ask(repoURL, project));
  }

  #ask(repoURL: string, name: string): SourceAsk {
    const project = this.#state.project(name);
    const credentials = this.#access.credentialsFor(repoURL, name);
    return {
      credentials: withNetworks(credentials, project && allowedNetworksOf(project)),
      project: name,
      fresh: true,
      ...(project ? { permitRedirect: (url: string) => permitSource(project, url) } : {}),
    };
  }

  /** The files of a source. */
  async tree(
    source: ApplicationSource,
    revision: string,
    { metadata: { name = '' } }: AppProject,
  ): Promise<{ readonly revision: string; readonly tree: Tree }> {
    const { reader } = this.#options;
    const ask = this.#ask(source.repoURL, name);
    const resolved = await reader.resolve(source, revision, ask);
    return { revision: resolved, tree: await reader.tree(source, resolved, ask) };
  }

  /** The folder of a source, and how it is rendered. */
  async folder(
    source: ApplicationSource,
    project: AppProject,
  ): Promise<{ readonly type: SourceType; readonly path: string; readonly tree: Tree }> {
    const { tree } = await this.tree(source, source.targetRevision ?? '', project);
    const path = await sourceFolder(source, tree);
    return { type: await sourceTypeOf(source, tree, path), path, tree };
  }

  /** Throws a TargetStateError if a source cannot be read or rendered. */
  async load(
    application: Application,
    project: AppProject,
    revisions?: readonly string[],
    options: LoadOptions = {},
  ): Promise<LoadedSources> {
    const { capabilities, fresh = true, reader = this.#options.reader } = options;
    const { kubeVersion = '', apiVersions = [] } = capabilities ?? (await this.#options.cluster());
    const target = {
      project,
      name: application.metadata.name ?? '',
      namespace: application.spec.destination.namespace ?? '',
      kubeVersion,
      apiVersions: [...apiVersions],
    };
    const env = { sources: reader, manifests: this.#manifests, failures: this.#failures, access: this.#access };
    return loadDesiredState(env, target, sourcesOf(application.spec), {
      fresh,
      ...(revisions ? { revisions } : {}),
    });
  }

  /** Renders the files of a client in place of those of the source. Throws a TargetStateError. */
  renderFiles(application: Application, project: AppProject, tree: Tree, checksum: string): Promise<LoadedSources> {
    const reader: SourceReader = {
      ...this.#options.reader,
      resolve: async () => checksum,
      tree: async () => tree,
      keyOf: () => `files ${checksum}`,
    };
    return this.load(application, project, undefined, { reader });
  }

  /** Refuses an Application whose sources cannot be read or rendered. */
  async check(application: Application, project: AppProject): Promise<void> {
    try {
      await this.load(application, project);
    } catch (error) {
      if (!(error instanceof TargetStateError)) throw error;
      const [, several] =
        /error getting app source type: (multiple application sources defined: .*)$/u.exec(error.message) ?? [];
      if (several !== undefined) {
        const failed =
          'error while validating and normalizing app: error validating the repo: error verifying source type';
        throw new RpcError('Unknown', `${failed}: ${several}`);
      }
      throw invalidSpec(application.metadata.name ?? '', [problemOf(error, sourcesOf(application.spec))]);
    }
  }

  /** What a commit of a source says of itself. */
  commit(source: ApplicationSource, commit: string, project: AppProject): Promise<CommitMetadata> {
    return this.#options.reader.commit(source.repoURL, commit, this.#askFor(source, project));
  }

  /** The annotations of an artifact. */
  async annotations(
    source: ApplicationSource,
    revision: string,
    project: AppProject,
  ): Promise<Readonly<Record<string, string>>> {
    const ask = this.#askFor(source, project);
    const digest = await this.#options.reader.resolve(source, revision, ask);
    return this.#options.reader.annotations(source.repoURL, digest, ask);
  }

  /** A file of a source; undefined if there is none. */
  async file(
    source: ApplicationSource,
    revision: string,
    project: AppProject,
    path: string,
  ): Promise<string | undefined> {
    const ask = this.#askFor(source, project);
    const { reader } = this.#options;
    const tree = await reader.tree(source, await reader.resolve(source, revision, ask), ask);
    const content = await tree.read(path);
    return content && Buffer.from(content).toString();
  }

  #askFor({ repoURL, helm }: ApplicationSource, project: AppProject): SourceAsk {
    const { name } = project.metadata;
    permitSource(project, repoURL);
    return {
      credentials: withNetworks(this.#access.credentialsFor(repoURL, name), allowedNetworksOf(project)),
      project: name,
      passCredentials: helm?.passCredentials ?? false,
      permitRedirect: (url) => permitSource(project, url),
    };
  }
}

/** Reasons that are about the repository, not about what is in it. */
const unreachable: ReadonlySet<string> = new Set([
  'RepositoryNotFound',
  'RepositoryUnavailable',
  'AuthenticationFailed',
]);

function problemOf({ message, cause }: TargetStateError, sources: readonly ApplicationSource[]): string {
  const [, number = '1', said = message] = /^.*?for source (\d+) of \d+: (.*)$/su.exec(message) ?? [];
  const { repoURL = '', path = '' } = sources[Number(number) - 1] ?? {};
  if (!(cause instanceof SourceError) || !unreachable.has(cause.reason)) {
    return `Unable to generate manifests in ${path}: ${said}`;
  }
  const problem = said.replace(/^rpc error: code = Unknown desc = /u, '');
  return `repository not accessible: repositories not accessible: &Repository{Repo: "${repoURL}", Type: "", Name: "", Project: ""}: repo client error while testing repository: rpc error: code = Unknown desc = error testing repository connectivity: unable to ls-remote HEAD on repository: ${problem}`;
}
