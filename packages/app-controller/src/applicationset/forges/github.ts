import { type Json, textAt } from '@fairlead/apimachinery';
import { githubApiUrl } from '@fairlead/source';
import { GeneratorError } from '../generators/generator-error.ts';
import { allPages, ForgeApi, type ForgeReply, type Query } from './forge-api.ts';
import type { ForgeHttp } from './forge-http.ts';

/** The API of GitHub, or of a GitHub Enterprise server. */
export const githubApi = (http: ForgeHttp, api: string | undefined, token: string): ForgeApi =>
  new ForgeApi({
    http,
    base: githubApiUrl(api ?? ''),
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    authorization: token === '' ? undefined : `Bearer ${token}`,
  });

/** The same message as from the client that Argo CD uses. */
export function githubError(reply: ForgeReply): GeneratorError {
  if (reply.problem) return new GeneratorError(reply.problem);
  let message = '';
  try {
    message = textAt(reply.json(), 'message');
  } catch {
    // An answer that is not JSON has no message.
  }
  return new GeneratorError(`GET ${reply.url}: ${reply.status} ${message} []`);
}

/** All items of a list, page by page. `failed` explains a refusal. */
export function githubList(
  api: ForgeApi,
  path: string,
  query: Query,
  failed: (reply: ForgeReply) => Error,
): Promise<Json[]> {
  const first = { per_page: 100, ...query };
  return allPages<Query>(first, async (page) => {
    const reply = await api.get(path, page);
    if (!reply.ok) throw failed(reply);
    const items = reply.json();
    const next = nextPage(reply.headers['link'] ?? '');
    return {
      items: Array.isArray(items) ? items : [],
      next: next === undefined ? undefined : { ...first, page: next },
    };
  });
}

/** The page that a `Link` header calls the next one. */
function nextPage(link: string): string | undefined {
  for (const part of link.split(',')) {
    const url = /<([^>]+)>/u.exec(part)?.[1];
    if (url && /;\s*rel="?next"?/u.test(part)) return URL.parse(url)?.searchParams.get('page') ?? undefined;
  }
  return undefined;
}
