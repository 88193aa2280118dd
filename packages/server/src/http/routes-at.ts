import { matchPath, type Route, routes } from '../messages/routes.ts';

/** A route whose path fits, with the values in the path. */
export interface MatchingRoute {
  readonly route: Route;
  readonly values: NonNullable<ReturnType<typeof matchPath>>;
}

/** Paths whose values may have escaped slashes. */
const escapedPaths = /^\/api\/v1\/(?:clusters|repositories|repocreds)\/[^/]+/u;

/** The routes of a path, for all methods. Of several for one method, the last counts. */
export function routesAt(path: string): MatchingRoute[] {
  const components = componentsOf(path);
  return routes.flatMap((route) => {
    const values = matchPath(route.path, components);
    return values ? [{ route, values }] : [];
  });
}

/** Values are decoded before the path is divided, except where they are URLs. */
function componentsOf(path: string): string[] {
  if (escapedPaths.test(path)) return path.slice(1).split('/');
  try {
    return decodeURIComponent(path).slice(1).split('/');
  } catch {
    // Not UTF-8: no object has such a name.
    return path.slice(1).split('/');
  }
}
