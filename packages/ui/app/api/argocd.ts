import { client } from './client.ts';

type Value = string | number | boolean | undefined;
/** Each value of a list is a separate parameter. */
type Query = Readonly<Record<string, Value | readonly Value[]>>;

function urlOf(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, given] of Object.entries(query)) {
    for (const value of [given].flat()) if (value !== undefined) params.append(name, String(value));
  }
  const text = params.toString();
  return `/api/v1/${path}${text === '' ? '' : `?${text}`}`;
}

/** A read through Argo CD's API. Answers are read field by field: see `read-*.ts`. */
export async function get(path: string, query?: Query, signal?: AbortSignal): Promise<unknown> {
  const response = await client.send(urlOf(path, query), signal ? { signal } : {});
  return JSON.parse(await response.text());
}

/** A change through Argo CD's API. */
export async function send(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  query?: Query,
): Promise<unknown> {
  const response = await client.send(urlOf(path, query), {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

export const streamUrl = urlOf;

/** The path of an Application; the namespace is in the query. */
export const applicationPath = (name: string, rest = ''): string =>
  `applications/${encodeURIComponent(name)}${rest === '' ? '' : `/${rest}`}`;
