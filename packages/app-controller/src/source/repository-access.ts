import type { Secret } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import {
  credentialsFor,
  type RepositoryCredentials,
  readRepositorySecret,
  repositoryTitled,
  type StoredCredentials,
} from '@fairlead/source';

/** The label for the type of a Secret: those of repositories are read. */
export const repositorySecretSelector = 'argocd.argoproj.io/secret-type';

/**
 * The credentials of repositories, from the Secrets in the namespace of the control plane.
 *
 * An entry with a project applies to that project only; whether the project may read the repository is checked before.
 */
export class RepositoryAccess {
  readonly #entries = new Map<string, StoredCredentials>();
  /** The credentials for writing: they are never used to read. */
  readonly #writers = new Map<string, StoredCredentials>();

  /** `changed` is called with each entry that was added, changed or removed, except for initial ones. */
  constructor(secrets: Informer<Secret>, changed: (entry: StoredCredentials) => void = () => {}) {
    const put = (secret: Secret, initial: boolean): void => {
      const key = `${secret.metadata.namespace}/${secret.metadata.name}`;
      const writer = readRepositorySecret(secret, 'write');
      if (writer) this.#writers.set(key, writer);
      const entry = readRepositorySecret(secret);
      if (entry) this.#entries.set(key, entry);
      else this.#entries.delete(key);
      if (entry && !initial) changed(entry);
    };
    const drop = (secret: Secret): void => {
      const key = `${secret.metadata.namespace}/${secret.metadata.name}`;
      const entry = this.#entries.get(key);
      this.#entries.delete(key);
      this.#writers.delete(key);
      if (entry) changed(entry);
    };
    secrets.addHandler({
      onAdd: put,
      onUpdate: (old, secret) => {
        if (JSON.stringify(old.data) === JSON.stringify(secret.data)) return;
        drop(old);
        put(secret, false);
      },
      onDelete: drop,
    });
  }

  /** The address of the chart repository with this name in a Secret. */
  repositoryNamed(name: string, project: string): string | undefined {
    return repositoryTitled(name, [...this.#entries.values()], (entry) => isFor(entry, project));
  }

  credentialsFor(repoUrl: string, project: string): RepositoryCredentials | undefined {
    return credentialsFor(repoUrl, [...this.#entries.values()], (entry) => isFor(entry, project));
  }

  /** The credentials for pushing: those of Secrets of the types `repository-write` and `repo-write-creds`. */
  writeCredentialsFor(repoUrl: string, project: string): RepositoryCredentials | undefined {
    return credentialsFor(repoUrl, [...this.#writers.values()], (entry) => isFor(entry, project));
  }
}

const isFor = (entry: StoredCredentials, project: string): boolean => !entry.project || entry.project === project;

/** Whether an entry applies to a repository and a project. */
export const opens = (entry: StoredCredentials, repoUrl: string, project: string): boolean =>
  isFor(entry, project) && credentialsFor(repoUrl, [entry]) !== undefined;
