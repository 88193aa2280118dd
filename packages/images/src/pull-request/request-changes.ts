import { formatRepositoryUrl, parseRepositoryUrl } from '@fairlead/apimachinery';
import type { HttpSession, RepositoryCredentials, RepositoryTokens } from '@fairlead/source';
import { ImagesError } from '../images-error.ts';
import type { Forge, ForgeLogin, OpenRequest, PullRequests } from './forge.ts';
import { ForgeClient } from './forge-client.ts';
import type { PullRequest } from './pull-request.ts';

export interface ForgeAccess {
  readonly http: HttpSession;
  readonly tokens: Pick<RepositoryTokens, 'usable'>;
}

/** The API of a repository over SSH is at the same host. */
const overHttps = { scheme: 'https', port: undefined } as const;

/** The pull requests of a repository, with the credentials that write to it. */
export async function openPullRequests(
  access: ForgeAccess,
  forge: Forge,
  { repository, credentials, api }: { repository: string; credentials: RepositoryCredentials | undefined; api: string },
): Promise<PullRequests> {
  const { url, problem } = parseRepositoryUrl(repository);
  if (!url) throw new ImagesError('InvalidTarget', problem);
  const origin = formatRepositoryUrl({ ...url, encodedPath: '', ...(url.scheme === 'ssh' ? overHttps : {}) });
  const base = (api || forge.api(url, origin)).replace(/\/+$/u, '');
  const headers = forge.headers(await loginOf(access, forge, repository, credentials));
  const requests = forge.requests(new ForgeClient({ http: access.http, base, headers, credentials }), url);
  if (!requests) throw new ImagesError('InvalidTarget', `${repository} does not name a repository of ${forge.title}`);
  return requests;
}

async function loginOf(
  { tokens }: ForgeAccess,
  { title }: Forge,
  repository: string,
  credentials: RepositoryCredentials | undefined,
): Promise<ForgeLogin> {
  const { username = '', password = '', bearerToken = '' } = (await tokens.usable(repository, credentials)) ?? {};
  const token = bearerToken || password;
  if (token === '')
    throw new ImagesError(
      'InvalidCredentials',
      `${repository}: a pull request on ${title} needs a token: use an https address, and credentials with a password, a bearer token or a GitHub App`,
    );
  return { username, token, isBearer: bearerToken !== '' };
}

export interface RequestedChange {
  readonly request: PullRequest;
  /** The common start of the branches for the same file: other open requests of these branches are superseded. */
  readonly branchPrefix: string;
  /** Whether the branch has a new commit. */
  readonly isNew: boolean;
}

export type RequestOutcome =
  | { readonly kind: 'open'; readonly url: string; readonly superseded: readonly OpenRequest[] }
  /** A person closed the request for this change. */
  | { readonly kind: 'rejected'; readonly url: string };

/** Makes sure that exactly one request is open for a change: creates or updates it, and closes those that it supersedes. */
export async function requestChange(
  requests: PullRequests,
  { request, branchPrefix, isNew }: RequestedChange,
): Promise<RequestOutcome> {
  const related = (await requests.open(request.base)).filter(({ head }) => head.startsWith(branchPrefix));
  const existing = related.find(({ head }) => head === request.head);
  if (!existing && !isNew) {
    const url = await requests.rejected(request.head, request.base);
    if (url !== undefined) return { kind: 'rejected', url };
  }
  if (existing && isNew) await requests.update(existing, request);
  const { url } = existing ?? (await requests.create(request));
  const superseded = related.filter((open) => open !== existing);
  for (const open of superseded) await requests.close(open, `Superseded by ${url}.`);
  return { kind: 'open', url, superseded };
}
