import { createHash } from 'node:crypto';
import { apiError, type JsonObject } from '@fairlead/apimachinery';
import { aggregatedList, aggregatedType, aggregatedVersionFor } from './aggregated.ts';
import { coreVersions, groupDocument, groupList, resourceList } from './documents.ts';
import { type ListedGroup, listAll, listGroups, type Served } from './listed.ts';

/** A response with a document: as on the wire, header names in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface Asked {
  readonly accept?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/**
 * Serves `/api`, `/apis` and the paths below them down to a version. Returns undefined for other paths. Documents are created on first use
 * and cached until the registry changes. `serverAddress` is the address of the server in `/api` (`host:port`).
 */
export function createDiscovery(served: Served, serverAddress: () => string) {
  let generation = -1;
  let groups: readonly ListedGroup[] = [];
  const kept = new Map<string, string>();

  const once = (key: string, make: () => JsonObject): string => {
    const text = kept.get(key) ?? JSON.stringify(make());
    kept.set(key, text);
    return text;
  };

  return (path: string, asked: Asked): Answer | undefined => {
    const [root, group, version, ...rest] = path.split('/').slice(1).filter(Boolean);
    if ((root !== 'api' && root !== 'apis') || rest.length > 0 || (root === 'api' && version !== undefined)) {
      return undefined;
    }
    if (generation !== served.generation) {
      generation = served.generation;
      groups = listGroups(listAll(served));
      kept.clear();
    }
    if (group === undefined) {
      const aggregated = aggregatedVersionFor(asked.accept);
      if (aggregated) {
        const part = groups.filter((each) => (each.group === '') === (root === 'api'));
        const body = once(`${root} ${aggregated}`, () => aggregatedList(part, aggregated));
        return withTag(body, aggregatedType(aggregated), asked);
      }
      return json(
        once(root, () => (root === 'api' ? coreVersions(versionsOf(groups, ''), serverAddress()) : groupList(groups))),
      );
    }
    const [name, of] = root === 'api' ? ['', group] : [group, version];
    const found = groups.find((each) => each.group === name);
    if (!found) return pageNotFound;
    if (of === undefined) return json(once(path, () => groupDocument(found)));
    const exact = found.versions.find((each) => each.version === of);
    return exact ? json(once(path, () => resourceList(name, exact))) : noSuchResource;
  };
}

const versionsOf = (groups: readonly ListedGroup[], group: string): string[] =>
  groups.find((each) => each.group === group)?.versions.map(({ version }) => version) ?? [];

const json = (body: string): Answer => ({ status: 200, headers: { 'content-type': 'application/json' }, body });

const pageNotFound: Answer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
};

const noSuchResource: Answer = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(apiError(404, 'NotFound', 'the server could not find the requested resource', {}).status),
};

function withTag(body: string, contentType: string, asked: Asked): Answer {
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  const headers = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (asked['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body };
}
