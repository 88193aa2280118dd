import { type Json, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../generators/generator-error.ts';
import { allPages, ForgeApi, type ForgeReply, type Query } from './forge-api.ts';
import type { ForgeHttp, ForgeTls } from './forge-http.ts';

/** The API of a Gitea server. Throws if the server is older than what its clients support. */
export async function giteaApi(http: ForgeHttp, address: string, token: string, tls: ForgeTls): Promise<ForgeApi> {
  const server = address.replace(/\/+$/u, '');
  const api = new ForgeApi({
    http,
    base: `${server}/api/v1`,
    authorization: token === '' ? undefined : `token ${token}`,
    tls,
  });
  const reply = await api.get('/version');
  if (!reply.ok) throw giteaError(reply);
  const version = textAt(reply.json(), 'version');
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major < 1 || (major === 1 && minor < 11))
    throw new GeneratorError(`gitea server at ${server} is older than 1.11.0`);
  return api;
}

/** The same message as from the client that Argo CD uses. */
export function giteaError(reply: ForgeReply): GeneratorError {
  if (reply.problem) return new GeneratorError(reply.problem);
  let body: Json = null;
  try {
    body = reply.json();
  } catch {
    return new GeneratorError(`Unknown API Error: ${reply.status} Request: '${new URL(reply.url).pathname}'`);
  }
  return new GeneratorError(textAt(body, 'message') || `${reply.status}: ${reply.text}`);
}

const pageSize = 50;

export function giteaList(
  api: ForgeApi,
  path: string,
  query: Query,
  failed: (reply: ForgeReply) => Error = giteaError,
): Promise<Json[]> {
  return allPages(1, async (page) => {
    const reply = await api.get(path, { ...query, page, limit: pageSize });
    if (!reply.ok) throw failed(reply);
    const items = reply.json();
    const list = Array.isArray(items) ? items : [];
    return { items: list, next: list.length < pageSize ? undefined : page + 1 };
  });
}

export const giteaPath = (owner: string, repo: string): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
