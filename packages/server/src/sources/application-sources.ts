import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import {
  FailedRenders,
  loadDesiredState,
  RepositoryAccess,
  type SourceReader,
  sourcesOf,
  TargetStateError,
} from '@fairlead/app-controller';
import { createManifestCache, type Manifest, type Renderer } from '@fairlead/render';
import { SourceError } from '@fairlead/source';
import { invalidSpec } from '../applications/validate-application.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ServerState } from '../state/server-state.ts';

export interface ApplicationSourcesOptions {
  readonly reader: SourceReader;
  readonly renderer: Renderer;
  /** What templates may know of the cluster. */
  cluster(): Promise<{ readonly kubeVersion: string; readonly apiVersions: readonly string[] }>;
}

export interface LoadedSources {
  readonly manifests: readonly Manifest[];
  readonly revisions: readonly string[];
  readonly types: readonly string[];
}

/** Reads and renders the sources of Applications, with the credentials of repositories and the rules of projects, as the controller does. */
export class ApplicationSources {
  readonly #options: ApplicationSourcesOptions;
  readonly #access: RepositoryAccess;
  readonly #manifests: ReturnType<typeof createManifestCache>;
  readonly #failures: FailedRenders;

  constructor(state: ServerState, options: ApplicationSourcesOptions) {
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
      throw new RpcError('FailedPrecondition', `error resolving repo revision: ${messageOf(error)}`);
    }
  }

  /** Throws a TargetStateError if a source cannot be read or rendered. */
  async load(application: Application, project: AppProject, revisions?: readonly string[]): Promise<LoadedSources> {
    const { kubeVersion, apiVersions } = await this.#options.cluster();
    const target = {
      project,
      name: application.metadata.name ?? '',
      namespace: application.spec.destination.namespace ?? '',
      kubeVersion,
      apiVersions: [...apiVersions],
    };
    const env = {
      sources: this.#options.reader,
      manifests: this.#manifests,
      failures: this.#failures,
      access: this.#access,
    };
    return loadDesiredState(env, target, sourcesOf(application.spec), {
      fresh: true,
      ...(revisions ? { revisions } : {}),
    });
  }

  /** Refuses an Application whose sources cannot be read or rendered. */
  async check(application: Application, project: AppProject): Promise<void> {
    try {
      await this.load(application, project);
    } catch (error) {
      if (!(error instanceof TargetStateError)) throw error;
      throw invalidSpec(application.metadata.name ?? '', [problemOf(error, sourcesOf(application.spec))]);
    }
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
