import type { Application, ApplicationSet } from '@fairlead/api';
import {
  applicationSetSettings,
  createGitReader,
  createObjectReader,
  type ForgeHttp,
  GenerationFailed,
  type GitReader,
  generateApplications,
  readInstallation,
} from '@fairlead/app-controller';
import { isClusterSecret } from '../applications/destination.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ApplicationSources } from '../sources/application-sources.ts';
import type { ServerState } from '../state/server-state.ts';

export interface SetGeneratorOptions {
  /** Reads the generators scmProvider and pullRequest. */
  readonly forges: ForgeHttp;
  /** Of the process, for clouds. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs the generators and the template of an ApplicationSet for a request. Writes nothing. */
export class SetGenerator {
  readonly #state: ServerState;
  readonly #options: SetGeneratorOptions;
  readonly #git: GitReader;

  constructor(state: ServerState, sources: ApplicationSources, options: SetGeneratorOptions) {
    this.#state = state;
    this.#options = options;
    this.#git = createGitReader({
      sources: sources.reader,
      access: sources.access,
      project: (name) => state.project(name),
      newGlobbing: () => this.#settings().newGitFileGlobbing,
    });
  }

  /** Throws an RpcError that says why there are no Applications. */
  async generate(set: ApplicationSet): Promise<Application[]> {
    const { namespace, client, secrets } = this.#state;
    try {
      return await generateApplications(set, {
        namespace,
        settings: this.#settings(),
        objects: createObjectReader(client, () => secrets.list().filter(isClusterSecret)),
        git: this.#git,
        forges: this.#options.forges,
      });
    } catch (error) {
      if (!(error instanceof GenerationFailed)) throw error;
      throw failureOf(error);
    }
  }

  /** Secrets need the label of credentials for forges: a request must not read any Secret of the namespace. */
  #settings() {
    const current = readInstallation(this.#state.settings, this.#state.configMap('argocd-cmd-params-cm'));
    const { environment } = this.#options;
    return {
      ...applicationSetSettings({ current }, { namespace: this.#state.namespace, environment }),
      tokenRefStrict: true,
    };
  }
}

/** A repository that cannot be read is an internal error, in its own words. */
function failureOf({ message }: GenerationFailed): RpcError {
  const [, ofSource] = /rpc error: code = Internal desc = (.*)$/su.exec(message) ?? [];
  if (ofSource !== undefined) return new RpcError('Internal', ofSource);
  return new RpcError(
    'Unknown',
    `unable to generate Applications of ApplicationSet: error generating applications: ${message}`,
  );
}
