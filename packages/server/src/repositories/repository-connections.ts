import { createHash } from 'node:crypto';
import { formatTime, type JsonObject, messageOf, textAt } from '@fairlead/apimachinery';
import { allowedNetworksOf } from '@fairlead/app-controller';
import type { Clock, Logger } from '@fairlead/kube';
import {
  credentialsFor,
  type RepositoryCredentials,
  readRepositorySecret,
  type Sources,
  withNetworks,
} from '@fairlead/source';
import { RpcError } from '../rpc/rpc-error.ts';
import { secretTypeLabel } from '../state/secret-labels.ts';
import type { ServerState } from '../state/server-state.ts';
import { secretData, secretKinds } from './repository-secrets.ts';

/** How long a connection that works, and one that does not, is not tested again. */
const successMs = 60 * 60_000;
const failureMs = 60_000;
const maxStates = 10_000;

export interface RepositoryConnectionsOptions {
  readonly state: ServerState;
  /** Without it, nothing is tested. */
  readonly sources: Pick<Sources, 'test'> | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Known {
  readonly state: Promise<JsonObject>;
  until: number;
}

/** Whether repositories can be read with their credentials. */
export class RepositoryConnections {
  readonly #options: RepositoryConnectionsOptions;
  /** By repository with its credentials, so that a change of these is tested at once. */
  readonly #known = new Map<string, Known>();

  constructor(options: RepositoryConnectionsOptions) {
    this.#options = options;
  }

  /** The state of the last test, or of a new one if that is too old or `fresh`. */
  state(repository: JsonObject, { fresh = false } = {}): Promise<JsonObject> {
    const { clock } = this.#options;
    const key = digestOf(repository);
    const known = this.#known.get(key);
    if (known && !fresh && clock.now() < known.until) return known.state;
    const tested: Known = { state: this.#test(repository), until: clock.now() + successMs };
    if (this.#known.size >= maxStates) this.#known.clear();
    this.#known.set(key, tested);
    void tested.state.then((state) => {
      if (textAt(state, 'status') !== 'Successful') tested.until = clock.now() + failureMs;
    });
    return tested.state;
  }

  async #test(repository: JsonObject): Promise<JsonObject> {
    const { clock, log } = this.#options;
    const attemptedAt = formatTime(clock.now());
    try {
      await this.test(repository);
      return { status: 'Successful', message: '', attemptedAt };
    } catch (error) {
      log.info('a repository cannot be read', { repository: textAt(repository, 'repo'), error });
      const message = `Unable to connect to repository: rpc error: code = Unknown desc = ${messageOf(error)}`;
      return { status: 'Failed', message, attemptedAt };
    }
  }

  /** Throws if the repository cannot be read. */
  async test(repository: JsonObject): Promise<void> {
    const { sources, state } = this.#options;
    const type = textAt(repository, 'type') || 'git';
    const kind = kinds[type === 'helm' && repository['enableOCI'] === true ? 'helm in a registry' : type];
    if (!kind) throw new RpcError('Unknown', `unsupported repository type ${JSON.stringify(type)}`);
    const url = textAt(repository, 'repo');
    const project = textAt(repository, 'project');
    const found = project === '' ? undefined : state.project(project);
    const credentials = withNetworks(repositoryCredentials(repository), found && allowedNetworksOf(found));
    const failed = 'error testing repository connectivity';
    if (url === '') {
      const problem = 'unable to initialize git client: repository "" cannot be initialized: repo URL is invalid';
      throw new RpcError('Unknown', `${failed}: ${problem}`);
    }
    try {
      await sources?.test({ url, kind: kind.tested }, { credentials, project });
    } catch (error) {
      throw new RpcError('Unknown', `${failed}: ${kind.step}: ${messageOf(error)}`);
    }
  }
}

type Tested = Parameters<Sources['test']>[0]['kind'];

/** What is tested by type of repository, and how Argo CD calls that step. */
const kinds: Readonly<Record<string, { readonly tested: Tested; readonly step: string } | undefined>> = {
  git: { tested: 'git', step: 'unable to ls-remote HEAD on repository: failed to list refs' },
  helm: { tested: 'charts', step: 'error loading repo index' },
  'helm in a registry': { tested: 'registry', step: 'error logging into OCI registry' },
  oci: { tested: 'artifact', step: 'error signing in to the registry' },
};

/** What opens a repository. The name differs with the credentials: nobody gets what was read with those of another. */
export function repositoryCredentials(repository: JsonObject): RepositoryCredentials | undefined {
  const entry = readRepositorySecret({
    metadata: { name: digestOf(repository), labels: { [secretTypeLabel]: secretKinds.repository.type } },
    data: secretData(secretKinds.repository, repository),
  });
  return entry && credentialsFor(entry.url, [entry]);
}

const digestOf = (repository: JsonObject): string => {
  const { connectionState: _, inheritedCreds: __, ...stored } = repository;
  const entries = Object.entries(stored).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
};
