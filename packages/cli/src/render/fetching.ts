import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery/primitives';
import type { FetchRemote } from '@fairlead/render';
import { readYamlDocuments } from '@fairlead/render/go-yaml';
import type { RemoteAccess, RepositorySecret, Sources, StoredCredentials } from '@fairlead/source';
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
  let sources: Promise<Sources> | undefined;
  const open = async (): Promise<Sources> => {
    // Most renders fetch nothing, and these modules are large.
    const [{ createSources }, { systemClock }] = await Promise.all([
      import('@fairlead/source'),
      import('@fairlead/kube'),
    ]);
    return createSources({
      cacheDir: join(cacheDir, 'sources'),
      clock: systemClock,
      environment: processes,
      pollMs,
      allowLocal: false,
      trust: { knownHosts: () => ownKnownHosts(home) },
    });
  };
  const fetchRemote: FetchRemote = async (request) => {
    sources ??= open();
    const { remoteFetcher } = await import('@fairlead/source');
    return remoteFetcher(await sources, access)(request);
  };
  try {
    return await work(fetchRemote);
  } finally {
    (await sources)?.close();
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
export async function ownAccess(secretsFile: string | undefined): Promise<RemoteAccess> {
  const access = { permit() {}, credentialsFor: () => undefined, repositoryNamed: () => undefined };
  if (secretsFile === undefined) return access;
  const { credentialsFor, readRepositorySecret, repositoryTitled } = await import('@fairlead/source');
  const stored = readSecrets(secretsFile, readRepositorySecret);
  return {
    ...access,
    credentialsFor: (url) => credentialsFor(url, stored),
    repositoryNamed: (name) => repositoryTitled(name, stored),
  };
}

/** Argo CD repository Secrets: labelled `repository` or `repo-creds`, with `data` or `stringData`. */
function readSecrets(
  file: string,
  readSecret: (secret: RepositorySecret) => StoredCredentials | undefined,
): StoredCredentials[] {
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
    return readSecret({ metadata, data: { ...data, ...Object.fromEntries(plain) } }) ?? [];
  });
  if (stored.length === 0)
    throw new CliError(
      `--credentials ${file} contains no Secret with the label argocd.argoproj.io/secret-type: repository or repo-creds`,
    );
  return stored;
}
