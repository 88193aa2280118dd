import { type Json, listAt, textAt } from '@fairlead/apimachinery';
import { GeneratorError } from '../generators/generator-error.ts';
import { authorizationOf, type BitbucketAuth } from './bitbucket-server.ts';
import { allPages, ForgeApi, type ForgeReply } from './forge-api.ts';
import type { ForgeHttp } from './forge-http.ts';

const defaultBase = 'https://api.bitbucket.org/2.0';

export const bitbucketCloudApi = (
  http: ForgeHttp,
  api: string | undefined,
  auth: BitbucketAuth | undefined,
): ForgeApi =>
  new ForgeApi({ http, base: (api || defaultBase).replace(/\/+$/u, ''), authorization: authorizationOf(auth) });

export const bitbucketCloudError = (reply: ForgeReply): GeneratorError => {
  if (reply.problem) return new GeneratorError(reply.problem);
  const phrases: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' };
  return new GeneratorError(`${reply.status} ${phrases[reply.status] ?? ''}`.trim());
};

/** Pages name the next one. */
export function bitbucketCloudList(
  api: ForgeApi,
  path: string,
  query: Readonly<Record<string, string | number>>,
  failed: (reply: ForgeReply) => Error,
): Promise<Json[]> {
  return allPages('', async (next) => {
    const reply = await (next === '' ? api.get(path, query) : api.getUrl(next));
    if (!reply.ok) throw failed(reply);
    const body = reply.json();
    return { items: listAt(body, 'values'), next: textAt(body, 'next') || undefined };
  });
}

export const bitbucketCloudPath = (owner: string, repo: string): string =>
  `/repositories/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
