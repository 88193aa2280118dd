import type { Git } from '@fairlead/source/git';
import type { FileAtCommit } from './write-repository.ts';

export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface CommitSettings {
  readonly message: string;
  readonly identity: CommitIdentity;
  /** Seconds since 1970. */
  readonly at: number;
  readonly signing?: SigningSettings | undefined;
}

export interface SigningSettings {
  readonly method: 'openpgp' | 'ssh';
  /** The id of a GnuPG key, or the file of a private SSH key. */
  readonly key: string;
  /** The environment variables for gpg or ssh-keygen: HOME, GNUPGHOME, SSH_AUTH_SOCK. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Creates a commit from an existing one and changed files, without an index or a checkout: the size of the repository does not matter. */
export async function fastImport(
  git: Git,
  gitDir: string,
  parent: string | undefined,
  files: ReadonlyMap<string, FileAtCommit>,
  { message, identity, at, signing }: CommitSettings,
): Promise<string> {
  const who = `${plain(identity.name)} <${plain(identity.email)}> ${Math.floor(at)} +0000`;
  const input = [
    `commit refs/fairlead/update\nmark :1\nauthor ${who}\ncommitter ${who}\n${data(message)}${parent === undefined ? '' : `from ${parent}\n`}`,
    ...Array.from(files, ([path, { content, mode }]) => `M ${mode} inline ${path}\n${data(content)}`),
    '\nget-mark :1\ndone\n',
  ].join('');
  const answer = await git.run(['fast-import', '--quiet', '--force', '--done', '--date-format=raw'], { gitDir, input });
  const commit = answer.trim();
  return signing && parent !== undefined
    ? sign(git, gitDir, parent, commit, { message, identity, at }, signing)
    : commit;
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
const plain = (text: string): string => text.replaceAll(/[<>\n\0]/gu, '');

/** Creates the same commit again with the signing command. */
async function sign(
  git: Git,
  gitDir: string,
  parent: string,
  commit: string,
  { message, identity, at }: Omit<CommitSettings, 'signing'>,
  { method, key, environment }: SigningSettings,
): Promise<string> {
  const date = `${Math.floor(at)} +0000`;
  const made = await git.run(['commit-tree', '-S', '-p', parent, '-F', '-', `${commit}^{tree}`], {
    gitDir,
    input: message,
    config: { 'gpg.format': method, 'user.signingKey': key },
    access: {
      secrets: [],
      environment: {
        ...environment,
        GIT_AUTHOR_NAME: identity.name,
        GIT_AUTHOR_EMAIL: identity.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: identity.name,
        GIT_COMMITTER_EMAIL: identity.email,
        GIT_COMMITTER_DATE: date,
      },
    },
  });
  return made.trim();
}
