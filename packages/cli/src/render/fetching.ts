import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery';
import { systemClock } from '@fairlead/kube';
import type { FetchRemote } from '@fairlead/render';
import { readYamlDocuments } from '@fairlead/render/go-yaml';
import {
  createSources,
  credentialsFor,
  type RemoteAccess,
  type RepositorySecret,
  readRepositorySecret,
  remoteFetcher,
  repositoryTitled,
  type Sources,
  type StoredCredentials,
} from '@fairlead/source';
import { CliError } from '../cli-error.ts';
import type { Environment } from '../environment.ts';

export type FetchEnvironment = Pick<Environment, 'home' | 'cacheDir' | 'processes'>;

/** How long an index or a branch is cached; longer than a command runs. */
const pollMs = 600_000;

/**
 * Calls `work` with access to remote sources: dependencies of charts, remote bases and files of kustomizations. Connections are opened
 * on first use; downloads are kept in the user's cache folder.
 */
export async function withFetching<T>(
  { home, cacheDir, processes }: FetchEnvironment,
  access: RemoteAccess,
  work: (fetchRemote: FetchRemote) => Promise<T>,
): Promise<T> {
  let sources: Sources | undefined;
  const fetchRemote: FetchRemote = (request) => {
    sources ??= createSources({
      cacheDir: join(cacheDir, 'sources'),
      clock: systemClock,
      environment: processes,
      pollMs,
      allowLocal: false,
      trust: { knownHosts: () => ownKnownHosts(home) },
    });
    return remoteFetcher(sources, access)(request);
  };
  try {
    return await work(fetchRemote);
  } finally {
    sources?.close();
  }
}

function ownKnownHosts(home: string): string {
  try {
    return readFileSync(join(home, '.ssh', 'known_hosts'), 'utf8');
  } catch {
    return '';
  }
}

/** Unrestricted access, with the credentials of a file of Secrets if one is given. */
export function ownAccess(secretsFile: string | undefined): RemoteAccess {
  const stored = secretsFile === undefined ? [] : readSecrets(secretsFile);
  return {
    permit() {},
    credentialsFor: (url) => credentialsFor(url, stored),
    repositoryNamed: (name) => repositoryTitled(name, stored),
  };
}

/** Argo CD repository Secrets: labelled `repository` or `repo-creds`, with `data` or `stringData`. */
function readSecrets(file: string): StoredCredentials[] {
  let documents: unknown[];
  try {
    documents = readYamlDocuments(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CliError(`--credentials ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const stored = documents.flatMap((document) => {
    const {
      metadata = {},
      data = {},
      stringData = {},
    } = (document ?? {}) as Partial<RepositorySecret> & {
      stringData?: Record<string, string>;
    };
    const plain = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
    return readRepositorySecret({ metadata, data: { ...data, ...Object.fromEntries(plain) } }) ?? [];
  });
  if (stored.length === 0)
    throw new CliError(
      `--credentials ${file} contains no Secret with the label argocd.argoproj.io/secret-type: repository or repo-creds`,
    );
  return stored;
}
