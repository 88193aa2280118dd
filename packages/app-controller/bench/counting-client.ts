import type { ApiClient } from '@fairlead/kube';

export interface Requests {
  reads: number;
  writes: number;
  /** Of the writes, those that only asked. */
  dryRuns: number;
}

const writing: ReadonlySet<string> = new Set(['create', 'replace', 'patch', 'delete', 'deleteCollection']);

/** The same client, with every request counted. */
export function counting(client: ApiClient, requests: Requests): ApiClient {
  return new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        if (name === 'get' || name === 'list') requests.reads += 1;
        if (writing.has(String(name))) {
          const dry = args.some((arg) => (arg as { dryRun?: boolean } | undefined)?.dryRun === true);
          if (dry) requests.dryRuns += 1;
          else requests.writes += 1;
        }
        return method.apply(target, args);
      };
    },
  });
}
