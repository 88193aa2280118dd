import type { ApiClient } from '@fairlead/kube';

/** Requests by verb: `create`, `patch`, `get`, `list`, `watch`, `read` (discovery) …; a write with dry run is a `dry run`. */
export type Requests = Record<string, number>;

const verbs: ReadonlySet<string> = new Set([
  'get',
  'list',
  'watch',
  'create',
  'replace',
  'patch',
  'delete',
  'deleteCollection',
  'read',
]);

/** The same client, with every request counted. */
export function counting<T extends ApiClient>(client: T, requests: Requests): T {
  return new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        if (verbs.has(String(name))) {
          const dry = args.some((arg) => (arg as { dryRun?: boolean } | undefined)?.dryRun === true);
          const verb = dry ? 'dry run' : String(name);
          requests[verb] = (requests[verb] ?? 0) + 1;
        }
        return method.apply(target, args);
      };
    },
  });
}

const reading: ReadonlySet<string> = new Set(['get', 'list']);

/** The reads and writes of controllers, without the initial requests of a client such as discovery. */
export const readsAndWrites = (requests: Requests): { reads: number; writes: number; dryRuns: number } => {
  const sum = (holds: (verb: string) => boolean): number =>
    Object.entries(requests).reduce((total, [verb, count]) => (holds(verb) ? total + count : total), 0);
  return {
    reads: sum((verb) => reading.has(verb)),
    writes: sum((verb) => !reading.has(verb) && !['watch', 'read', 'dry run'].includes(verb)),
    dryRuns: requests['dry run'] ?? 0,
  };
};
