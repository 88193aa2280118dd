import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { at, textAt } from '@fairlead/apimachinery';
import type { GitHttpServer } from './git-http.ts';
import { startGitHttp } from './git-http.ts';

/** A GitHub Enterprise server with one App: its REST API, and repositories that only a current token of the installation opens. */
export interface GithubAppServer extends GitHttpServer {
  readonly appId: string;
  readonly installation: string;
  readonly privateKey: string;
  /** Of another App. */
  readonly otherKey: string;
  /** The tokens that were issued, oldest first. */
  readonly tokens: string[];
  /** The requests to the REST API. */
  readonly apiCalls: string[];
  /** Why the last JWT was not accepted. */
  readonly problems: string[];
  /** Answers every request for a token with this status. */
  refusal: { readonly status: number; readonly message: string } | undefined;
  /** No longer accepts the tokens that were issued. */
  revoke(): void;
}

export interface GithubAppServerOptions {
  readonly root: string;
  readonly now: () => number;
  /** The owner of the repositories, and whether it is an organization. */
  readonly owner?: { readonly name: string; readonly kind: 'orgs' | 'users' };
}

const rsaKey = (): { pem: string; publicKey: KeyObject } => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { pem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(), publicKey };
};

const hour = 60 * 60_000;
const appId = '4711';
const installation = '99';

export async function startGithubApp({ root, now, owner }: GithubAppServerOptions): Promise<GithubAppServer> {
  const key = rsaKey();
  const expiry = new Map<string, number>();
  const state = {
    appId,
    installation,
    privateKey: key.pem,
    otherKey: rsaKey().pem,
    tokens: [] as string[],
    apiCalls: [] as string[],
    problems: [] as string[],
    refusal: undefined as GithubAppServer['refusal'],
    revoke: () => expiry.clear(),
  };

  const api = (request: IncomingMessage, response: ServerResponse, path: string): void => {
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    state.apiCalls.push(`${request.method} ${path}`);
    const problem = jwtProblem(request.headers.authorization ?? '', key.publicKey, now());
    if (problem !== undefined) {
      state.problems.push(problem);
      return answer(401, { message: 'A JSON web token could not be decoded' });
    }
    if (state.refusal) return answer(state.refusal.status, { message: state.refusal.message });
    if (request.method === 'POST' && path === `/app/installations/${installation}/access_tokens`) {
      const token = `ghs_${String(state.tokens.length + 1).padStart(36, '0')}`;
      state.tokens.push(token);
      expiry.set(token, now() + hour);
      return answer(201, { token, expires_at: new Date(now() + hour).toISOString().replace('.000', '') });
    }
    if (request.method === 'GET' && owner && path === `/${owner.kind}/${owner.name}/installation`)
      return answer(200, { id: Number(installation), account: { login: owner.name } });
    answer(404, { message: 'Not Found' });
  };

  const server = await startGitHttp({
    root,
    intercept(request, response) {
      const path = request.url ?? '';
      if (path.startsWith('/api/v3/')) {
        api(request, response, path.slice('/api/v3'.length));
        return true;
      }
      const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
      const [user, token = ''] = Buffer.from(encoded, 'base64').toString().split(':');
      if (user === 'x-access-token' && (expiry.get(token) ?? 0) > now()) return false;
      request.resume();
      response
        .writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"', 'content-type': 'text/plain' })
        .end('Invalid username or token.\n');
      return true;
    },
  });
  return Object.assign(state, server);
}

/** As GitHub checks it: the signature, the App, and at most ten minutes of validity. */
function jwtProblem(authorization: string, publicKey: KeyObject, now: number): string | undefined {
  const [header = '', claims = '', signature = ''] = authorization.replace(/^Bearer /u, '').split('.');
  const valid = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (!valid) return 'signature';
  const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  if (textAt(decode(header), 'alg') !== 'RS256') return 'alg';
  const [issued, expires] = [at(decode(claims), 'iat'), at(decode(claims), 'exp')].map(Number);
  const seconds = now / 1_000;
  if (textAt(decode(claims), 'iss') !== appId) return 'iss';
  if (issued === undefined || issued > seconds) return 'iat';
  if (expires === undefined || expires <= seconds || expires > seconds + 600) return 'exp';
  return undefined;
}
