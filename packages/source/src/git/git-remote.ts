import type { RepositoryCredentials, Trust } from '../credentials/credentials.ts';
import { withAccess } from './git-access.ts';
import { explainFailure } from './git-failure.ts';
import type { Git, GitCall } from './git-process.ts';
import type { GitUrl } from './git-url.ts';

/** A repository on its server, with what opens it. */
export class GitRemote {
  readonly from: GitUrl;
  readonly #git: Git;
  readonly #accessDir: string;
  readonly #trust: Trust;
  /** Those given by who asked last: a password may change while the repository is in use. */
  credentials: RepositoryCredentials | undefined;

  constructor(git: Git, from: GitUrl, { accessDir, trust }: { accessDir: string; trust: Trust }) {
    this.#git = git;
    this.from = from;
    this.#accessDir = accessDir;
    this.#trust = trust;
  }

  /** Calls `git` with the repository as its remote `origin`. */
  run(args: readonly string[], call: GitCall = {}): Promise<string> {
    const { from, credentials } = this;
    return withAccess({ folder: this.#accessDir, from, credentials, trust: this.#trust }, (access) =>
      this.#git.run(args, { ...call, access, config: { 'remote.origin.url': from.url, ...call.config } }),
    );
  }

  /** The error as a person should read it. */
  explain(error: unknown): unknown {
    const { password, bearerToken, sshPrivateKey, clientCertificate } = this.credentials ?? {};
    return explainFailure(error, this.from, Boolean(password || bearerToken || sshPrivateKey || clientCertificate));
  }
}
