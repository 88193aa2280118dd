import type { RepositoryUrl } from '@fairlead/apimachinery';
import type { ForgeClient } from './forge-client.ts';
import type { PullRequest } from './pull-request.ts';

/** A pull or merge request that is open on a forge. */
export interface OpenRequest {
  readonly id: string;
  /** The branch with the change. */
  readonly head: string;
  /** The page for people. */
  readonly url: string;
}

/** The pull requests of one repository. Those from forks are not listed. */
export interface PullRequests {
  open(base: string): Promise<readonly OpenRequest[]>;
  /** The page of a request for this branch that a person closed without merging it; undefined if there is none. */
  rejected(head: string, base: string): Promise<string | undefined>;
  create(request: PullRequest): Promise<OpenRequest>;
  update(open: OpenRequest, request: PullRequest): Promise<void>;
  close(open: OpenRequest, comment: string): Promise<void>;
}

/** How to sign in: a token, or a user with a password. */
export interface ForgeLogin {
  readonly username: string;
  readonly token: string;
  /** Whether the token was issued by an identity provider, and is not a password. */
  readonly isBearer: boolean;
}

/** A host of Git repositories with pull requests. */
export interface Forge {
  readonly title: string;
  /** Whether its pull requests can have labels. */
  readonly hasLabels: boolean;
  /** The API for a repository, if none is configured. */
  api(repository: RepositoryUrl, origin: string): string;
  headers(login: ForgeLogin): Readonly<Record<string, string>>;
  /** Returns undefined if the path does not name a repository. */
  requests(client: ForgeClient, repository: RepositoryUrl): PullRequests | undefined;
}

/** The parts of the path, without `.git`. */
export const pathParts = ({ path }: RepositoryUrl): string[] =>
  path
    .replace(/\.git\/*$/u, '')
    .split('/')
    .filter((part) => part !== '');

export const basic = ({ username, token }: ForgeLogin): string =>
  `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
