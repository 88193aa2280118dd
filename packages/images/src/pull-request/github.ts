import { at, type Json, textAt } from '@fairlead/apimachinery';
import { githubApiUrl } from '@fairlead/source';
import { type Forge, pathParts } from './forge.ts';
import { githubWrites, opened } from './github-writes.ts';

const perPage = 100;

const asList = (json: Json): readonly Json[] => (Array.isArray(json) ? json : []);

export const github: Forge = {
  title: 'GitHub',
  hasLabels: true,
  api: ({ host }, origin) => githubApiUrl(host === 'github.com' ? '' : origin),
  headers: ({ token }) => ({
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${token}`,
  }),
  requests(client, repository) {
    const [owner, name, ...more] = pathParts(repository);
    if (owner === undefined || name === undefined || more.length > 0) return undefined;
    const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
    return {
      async open(base) {
        const all = await client.pages(async (page) => {
          const query = { state: 'open', base, per_page: perPage, page };
          const items = asList(await client.get(`${path}/pulls`, query));
          return { items, isLast: items.length < perPage };
        });
        const isOwn = (json: Json): boolean =>
          textAt(json, 'head', 'repo', 'full_name').toLowerCase() === `${owner}/${name}`.toLowerCase();
        return all.filter(isOwn).map(opened);
      },
      async rejected(head, base) {
        const query = { state: 'closed', head: `${owner}:${head}`, base };
        const closed = asList(await client.get(`${path}/pulls`, query));
        const found = closed.find((json) => !at(json, 'merged_at'));
        return found === undefined ? undefined : textAt(found, 'html_url');
      },
      ...githubWrites(client, path),
    };
  },
};
