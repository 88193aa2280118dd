import { limits } from '@fairlead/kube';
import { authorizationOf } from '../charts/chart-authorization.ts';
import type { RepositoryCredentials, Trust } from '../credentials/credentials.ts';
import type { RepositoryTokens } from '../credentials/tokens/repository-tokens.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { RedirectError } from '../network/redirect.ts';
import { withAccess } from './git-access.ts';
import { explainFailure, isAuthenticationFailure, isRedirect } from './git-failure.ts';
import type { ConsumeOutput, Git, GitCall } from './git-process.ts';
import type { GitUrl } from './git-url.ts';

/** A repository on its server, with its access settings. */
export class GitRemote {
  readonly from: GitUrl;
  readonly #git: Git;
  readonly #accessDir: string;
  readonly #trust: Trust;
  readonly #tokens: RepositoryTokens;
  readonly #http: HttpSession | undefined;
  /** Of the last caller: a password may change while the repository is in use. */
  credentials: RepositoryCredentials | undefined;
  /** The project of the last caller, whose lane the next call uses. */
  project = '';

  constructor(
    git: Git,
    from: GitUrl,
    {
      accessDir,
      trust,
      tokens,
      http,
    }: { accessDir: string; trust: Trust; tokens: RepositoryTokens; http?: HttpSession },
  ) {
    this.#git = git;
    this.from = from;
    this.#accessDir = accessDir;
    this.#trust = trust;
    this.#tokens = tokens;
    this.#http = http;
  }

  /** Calls `git` with the repository as its remote `origin`. Throws a `RedirectError` if the server redirects to another address. */
  run(args: readonly string[], call: GitCall = {}): Promise<string> {
    return this.#call(call, (settings) => this.#git.run(args, settings));
  }

  /** As `run`, for output of any size. */
  stream<T>(args: readonly string[], call: GitCall, consume: ConsumeOutput<T>): Promise<T> {
    return this.#call(call, (settings) => this.#git.stream(args, settings, consume));
  }

  async #call<T>(call: GitCall, run: (call: GitCall) => Promise<T>): Promise<T> {
    const { from, project } = this;
    const { host = '' } = from;
    const lanes = [
      { name: `host ${host}`, slots: limits.gitProcessesPerHost },
      { name: `project ${project} on ${host}`, slots: limits.gitProcessesPerProjectAndHost },
      { name: `project ${project}`, slots: limits.gitProcessesPerProject },
    ];
    const credentials = await this.#usableCredentials();
    try {
      return await withAccess({ folder: this.#accessDir, from, credentials, trust: this.#trust }, (access) =>
        run({ ...call, access, lanes, config: { 'remote.origin.url': from.url, ...call.config } }),
      );
    } catch (error) {
      if (isAuthenticationFailure(error)) this.#tokens.refused(from.url, credentials);
      const target = isRedirect(error) ? await this.#redirectTarget(this.#http, credentials) : undefined;
      throw target === undefined ? error : new RedirectError(from.url, target);
    }
  }

  /** With a current token: the repository may be polled for longer than a token is valid. */
  async #usableCredentials(): Promise<RepositoryCredentials | undefined> {
    const { from, credentials } = this;
    return from.transport === 'http' ? this.#tokens.usable(from.url, credentials) : credentials;
  }

  /** git does not report the target of a redirect. */
  async #redirectTarget(
    http: HttpSession | undefined,
    credentials: RepositoryCredentials | undefined,
  ): Promise<string | undefined> {
    if (!http) return undefined;
    const { from } = this;
    const query = '/info/refs?service=git-upload-pack';
    const answer = await http.send({
      url: `${from.url}${query}`,
      redirect: 'report',
      credentials,
      authorization: authorizationOf(credentials),
    });
    await discard(answer);
    const { location = '' } = answer.headers;
    const target = URL.canParse(location, from.url) ? new URL(location, `${from.url}${query}`).href : '';
    return target.endsWith(query) ? target.slice(0, -query.length) : undefined;
  }

  /** The error in a readable form. */
  explain(error: unknown): unknown {
    return explainFailure(error, this.from, this.credentials);
  }
}
