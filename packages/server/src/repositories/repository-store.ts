import { type JsonObject, type Secret, secretType, secretValue, textAt } from '@fairlead/apimachinery';
import { readRepositorySecret, type StoredCredentials, templateFor } from '@fairlead/source';
import { RpcError } from '../rpc/rpc-error.ts';
import { managedByAnnotation, managedByArgoCd, secretTypeLabel } from '../state/secret-labels.ts';
import type { ServerState } from '../state/server-state.ts';
import {
  type RepositorySecretKind,
  readMessage,
  type StoredMessage,
  secretData,
  secretKinds,
  secretName,
} from './repository-secrets.ts';
import { isSameRepository } from './repository-url.ts';

/** A repository as it is used: what it lacks comes from the credentials for all repositories below a URL. */
export interface StoredRepository extends StoredMessage {
  readonly secret: Secret;
}

/** Repositories and credentials in the Secrets of the server's namespace. */
export class RepositoryStore {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  /** By the name of their Secret. */
  secrets({ type }: RepositorySecretKind): Secret[] {
    return this.#state.secrets
      .list()
      .filter(({ metadata }) => metadata.labels?.[secretTypeLabel] === type)
      .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  }

  /** All repositories, with inherited credentials. */
  list(kind: RepositorySecretKind): StoredRepository[] {
    const templates = this.#templates();
    return this.secrets(kind).map((secret) => this.#read(kind, secret, templates));
  }

  #read(kind: RepositorySecretKind, secret: Secret, templates = this.#templates()): StoredRepository {
    const { message, problem } = readMessage(kind, secret);
    const complete = this.withCredentials(message, templates);
    return { secret, message: complete, ...(problem === undefined ? {} : { problem }) };
  }

  /** The Secret of a repository for exactly this project. */
  secretOf(kind: RepositorySecretKind, url: string, project: string): Secret | undefined {
    return this.secrets(kind).find(
      (secret) =>
        isSameRepository(secretValue(secret, 'url') ?? '', url) && (secretValue(secret, 'project') ?? '') === project,
    );
  }

  /** A repository of the project, or one for all projects; only the URL if none is stored. */
  repository(kind: RepositorySecretKind, url: string, project: string): JsonObject {
    const secret = this.secretOf(kind, url, project) ?? this.secretOf(kind, url, '');
    return secret ? this.#read(kind, secret).message : this.withCredentials({ repo: url });
  }

  /** The repository with the credentials that are stored for all repositories below a URL, unless it has its own. */
  withCredentials(repository: JsonObject, templates = this.#templates()): JsonObject {
    if (hasCredentials(repository)) return repository;
    const found = templateFor(textAt(repository, 'repo'), [...templates.keys()]);
    const secret = found && templates.get(found);
    if (!secret) return repository;
    const { url: _, ...inherited } = readMessage(secretKinds.creds, secret).message;
    return { ...inherited, ...repository, inheritedCreds: true };
  }

  /** The credentials for all repositories below a URL, with their Secrets. */
  #templates(): ReadonlyMap<StoredCredentials, Secret> {
    return new Map(
      this.secrets(secretKinds.creds).flatMap((secret) => {
        const entry = readRepositorySecret(secret);
        return entry ? [[entry, secret] as const] : [];
      }),
    );
  }

  async create(kind: RepositorySecretKind, url: string, message: JsonObject): Promise<void> {
    const { client, namespace, secrets } = this.#state;
    const name = secretName(kind, url, textAt(message, 'project'));
    const found = this.#state.secret(name);
    if (found && found.metadata.labels?.[secretTypeLabel] === undefined) {
      throw new RpcError(
        'InvalidArgument',
        `secret "${name}" doesn't have the proper "${secretTypeLabel}" label: please fix the secret or delete it`,
      );
    }
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name,
        namespace,
        labels: { [secretTypeLabel]: kind.type },
        annotations: { [managedByAnnotation]: managedByArgoCd },
      },
      data: secretData(kind, message),
    };
    await this.#state.seen(secrets, await client.create(secretType, secret));
  }

  async update(kind: RepositorySecretKind, existing: Secret, message: JsonObject): Promise<void> {
    const { client, secrets } = this.#state;
    const { metadata } = existing;
    const secret: Secret = {
      ...existing,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, [secretTypeLabel]: kind.type },
        annotations: { ...metadata.annotations, [managedByAnnotation]: managedByArgoCd },
      },
      data: secretData(kind, message, existing.data),
    };
    await this.#state.seen(secrets, await client.replace(secretType, secret));
  }

  delete(secret: Secret): Promise<void> {
    return this.#state.releaseSecret(secret);
  }
}

const credentialFields = [
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertData',
  'githubAppPrivateKey',
  'azureServicePrincipalClientSecret',
];

export const hasCredentials = (repository: JsonObject): boolean =>
  credentialFields.some((field) => textAt(repository, field) !== '') || repository['useAzureWorkloadIdentity'] === true;

/** The fields of a repository that may be answered: nothing that opens it. */
const shownFields = [
  'repo',
  'type',
  'name',
  'username',
  'enableLfs',
  'enableOCI',
  'proxy',
  'noProxy',
  'project',
  'forceHttpBasicAuth',
  'inheritedCreds',
  'githubAppID',
  'githubAppInstallationID',
  'githubAppEnterpriseBaseUrl',
  'useAzureWorkloadIdentity',
  'azureActiveDirectoryEndpoint',
  'azureServicePrincipalClientId',
  'azureServicePrincipalTenantId',
  'depth',
];

/** A repository as it is answered, without anything that opens it. The proxy is shown without its password. */
export function sanitized(repository: JsonObject): JsonObject {
  const shown = Object.fromEntries(
    shownFields.flatMap((field) => (repository[field] === undefined ? [] : [[field, repository[field]]])),
  );
  const isInsecure = ['insecure', 'insecureIgnoreHostKey', 'insecureOCIForceHttp'].some((f) => repository[f] === true);
  const proxy = textAt(repository, 'proxy').replace(/(:\/\/[^/@:]*):[^/@]*@/u, '$1:******@');
  return { ...shown, ...(isInsecure ? { insecure: true } : {}), ...(proxy === '' ? {} : { proxy }) };
}

/** `git` unless another type is stored; `oci://` says what it is. */
export const withType = (repository: JsonObject): JsonObject =>
  textAt(repository, 'type') !== ''
    ? repository
    : { ...repository, type: textAt(repository, 'repo').startsWith('oci://') ? 'oci' : 'git' };
