import { isJsonObject, type Json } from '@fairlead/apimachinery';
import { GeneratorError } from '../generators/generator-error.ts';
import { allPages, ForgeApi, type ForgeReply, type Query } from './forge-api.ts';
import type { ForgeHttp, ForgeTls } from './forge-http.ts';

export function gitlabApi(http: ForgeHttp, api: string | undefined, token: string, tls: ForgeTls): ForgeApi {
  const base = (api || 'https://gitlab.com').replace(/\/+$/u, '');
  return new ForgeApi({
    http,
    base: base.endsWith('/api/v4') ? base : `${base}/api/v4`,
    headers: token === '' ? {} : { 'private-token': token },
    tls,
  });
}

/** An id or a path in a path. */
export const gitlabId = (id: string | number): string => encodeURIComponent(id).replaceAll('.', '%2E');

/** The same message as from the client that Argo CD uses. */
export function gitlabError(reply: ForgeReply): GeneratorError {
  if (reply.problem) return new GeneratorError(reply.problem);
  if (reply.status === 404) return new GeneratorError('404 Not Found');
  let said = '';
  try {
    said = messageIn(reply.json());
  } catch {
    said = reply.text.slice(0, 200);
  }
  return new GeneratorError(`GET ${reply.url}: ${reply.status} ${said}`);
}

function messageIn(body: Json): string {
  if (!isJsonObject(body)) return '';
  const { message, error } = body;
  const parts = [
    ...(message === undefined ? [] : [`{message: ${text(message)}}`]),
    ...(error === undefined ? [] : [`{error: ${text(error)}}`]),
  ];
  return parts.join(', ');
}

const text = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function gitlabList(
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
    const next = reply.headers['x-next-page'];
    return { items: Array.isArray(items) ? items : [], next: next ? { ...first, page: next } : undefined };
  });
}
