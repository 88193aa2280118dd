import { at, type Json, numberAt, textAt } from '@fairlead/apimachinery';
import { type Forge, type OpenRequest, pathParts } from './forge.ts';

const perPage = 100;

const opened = (json: unknown): OpenRequest => ({
  id: String(numberAt(json, 'iid')),
  head: textAt(json, 'source_branch'),
  url: textAt(json, 'web_url'),
});

const asList = (json: Json): readonly Json[] => (Array.isArray(json) ? json : []);

export const gitlab: Forge = {
  title: 'GitLab',
  hasLabels: true,
  api: (_, origin) => `${origin}/api/v4`,
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  requests(client, repository) {
    const parts = pathParts(repository);
    if (parts.length < 2) return undefined;
    const path = `/projects/${encodeURIComponent(parts.join('/'))}/merge_requests`;
    return {
      async open(base) {
        const all = await client.pages(async (page) => {
          const query = { state: 'opened', target_branch: base, per_page: perPage, page };
          const items = asList(await client.get(path, query));
          return { items, isLast: items.length < perPage };
        });
        return all.filter((json) => at(json, 'source_project_id') === at(json, 'target_project_id')).map(opened);
      },
      async rejected(head, base) {
        const query = { state: 'closed', source_branch: head, target_branch: base };
        const [found] = asList(await client.get(path, query));
        return found === undefined ? undefined : textAt(found, 'web_url');
      },
      async create({ title, body, head, base, labels }) {
        const request = {
          title,
          description: body,
          source_branch: head,
          target_branch: base,
          remove_source_branch: true,
          ...(labels.length > 0 ? { labels: labels.join(',') } : {}),
        };
        return opened(await client.send('POST', path, { body: request }));
      },
      async update({ id }, { title, body }) {
        await client.send('PUT', `${path}/${id}`, { body: { title, description: body } });
      },
      async close({ id }, comment) {
        await client.send('POST', `${path}/${id}/notes`, { body: { body: comment } });
        await client.send('PUT', `${path}/${id}`, { body: { state_event: 'close' } });
      },
    };
  },
};
