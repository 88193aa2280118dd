import type { JsonObject } from '@fairlead/apimachinery/json-at';

/** What the form of a repository has. */
export interface RepositoryDraft {
  readonly type: 'git' | 'helm' | 'oci';
  readonly url: string;
  readonly name: string;
  readonly project: string;
  readonly username: string;
  readonly password: string;
  /** Lines of a private key. */
  readonly sshKey: readonly string[];
  readonly insecure: boolean;
}

export const emptyRepository: RepositoryDraft = {
  type: 'git',
  url: '',
  name: '',
  project: '',
  username: '',
  password: '',
  sshKey: [],
  insecure: false,
};

/** The repository that is stored. Fields that are empty are left out. */
export function repositoryOf({
  type,
  url,
  name,
  project,
  username,
  password,
  sshKey,
  insecure,
}: RepositoryDraft): JsonObject {
  const key = sshKey.join('\n').trim();
  const texts = {
    name,
    project,
    username,
    password,
    ...(type === 'git' && key !== '' ? { sshPrivateKey: `${key}\n` } : {}),
  };
  return {
    repo: url,
    type,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(insecure ? { insecure } : {}),
  };
}
