import { at, type Json, listAt, numberAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../generators/generator-error.ts';
import { allPages, ForgeApi, type ForgeReply, type Query } from './forge-api.ts';
import type { ForgeHttp, ForgeTls } from './forge-http.ts';

export type BitbucketAuth = { readonly basic: readonly [user: string, password: string] } | { readonly bearer: string };

export const authorizationOf = (auth: BitbucketAuth | undefined): string | undefined =>
  !auth
    ? undefined
    : 'bearer' in auth
      ? `Bearer ${auth.bearer}`
      : `Basic ${Buffer.from(auth.basic.join(':')).toString('base64')}`;

export function bitbucketServerApi(
  http: ForgeHttp,
  address: string,
  auth: BitbucketAuth | undefined,
  tls: ForgeTls,
): ForgeApi {
  const base = address.replace(/\/+$/u, '');
  return new ForgeApi({
    http,
    base: `${base.endsWith('/rest') ? base : `${base}/rest`}/api/1.0`,
    // Avoids the check for forged requests.
    headers: auth ? { 'x-atlassian-token': 'no-check', 'x-requested-with': 'XMLHttpRequest' } : {},
    authorization: authorizationOf(auth),
    tls,
  });
}

export const bitbucketServerError = (reply: ForgeReply): GeneratorError =>
  new GeneratorError(reply.problem ?? `Status: ${reply.status}, Body: ${reply.text.slice(0, 500)}`);

export function bitbucketServerList(
  api: ForgeApi,
  path: string,
  failed: (reply: ForgeReply) => Error,
): Promise<Json[]> {
  const first = { limit: 100 };
  return allPages<Query>(first, async (page) => {
    const reply = await api.get(path, page);
    if (!reply.ok) throw failed(reply);
    const body = reply.json();
    const isLast = at(body, 'isLastPage') !== false;
    return {
      items: listAt(body, 'values'),
      next: isLast ? undefined : { ...first, start: numberAt(body, 'nextPageStart') },
    };
  });
}

export const bitbucketServerPath = (project: string, repo: string): string =>
  `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(repo)}`;
