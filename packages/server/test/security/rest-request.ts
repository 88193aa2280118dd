import type { Route } from '../../src/messages/routes.ts';
import type { CallRow } from './call-table.ts';
import { messageWith } from './request-message.ts';

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** The request of a row through a route: fields go to the path, the body or the query, as the route says. */
export function restRequest(route: Route, { fields }: CallRow): RestRequest {
  const left = new Map(Object.entries(fields));
  const segments = route.path.map((segment) => {
    if ('text' in segment) return segment.text;
    const name = segment.field.join('.');
    const value = String(left.get(name) ?? 'none');
    if (!name.includes('metadata')) left.delete(name);
    return segment.rest ? value : encodeURIComponent(value);
  });
  const path = `/${segments.join('/')}`;
  if (route.body === '') {
    const query = new URLSearchParams([...left].map(([name, value]): [string, string] => [name, String(value)]));
    return { method: route.method, path: query.size > 0 ? `${path}?${query}` : path };
  }
  const message = messageWith(left);
  if (route.body === '*') return { method: route.method, path, body: JSON.stringify(message) };
  const { [route.body]: body = fields[route.body] ?? {}, ...rest } = message;
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  return { method: route.method, path: query.size > 0 ? `${path}?${query}` : path, body: JSON.stringify(body) };
}
