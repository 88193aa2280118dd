import { at, type Json, textAt } from '@fairlead/apimachinery';
import { type Forge, pathParts } from './forge.ts';
import { githubWrites, opened } from './github-writes.ts';

/** The page size that servers permit unless configured otherwise. */
const perPage = 50;

/** Gitea and Forgejo. */
export const gitea: Forge = {
  title: 'Gitea',
  hasLabels: true,
  api: (_, origin) => `${origin}/api/v1`,
  headers: ({ token }) => ({ authorization: `token ${token}` }),
  requests(client, repository) {
    const [owner, name, ...more] = pathParts(repository);
    if (owner === undefined || name === undefined || more.length > 0) return undefined;
    const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
    return {
      async open(base) {
        const all = await client.pages(async (page) => {
          const json: Json = await client.get(`${path}/pulls`, { state: 'open', limit: perPage, page });
          const items = Array.isArray(json) ? json : [];
          return { items, isLast: items.length < perPage };
        });
        return all
          .filter(
            (json) =>
              textAt(json, 'base', 'ref') === base && at(json, 'head', 'repo_id') === at(json, 'base', 'repo_id'),
          )
          .map(opened);
      },
      async rejected(head, base) {
        const found = await client.find(`${path}/pulls/${encodeURIComponent(base)}/${encodeURIComponent(head)}`);
        const isRejected = textAt(found, 'state') === 'closed' && at(found, 'merged') !== true;
        return isRejected ? textAt(found, 'html_url') : undefined;
      },
      ...githubWrites(client, path),
    };
  },
};
