import { numberAt, textAt } from '@fairlead/apimachinery';
import type { OpenRequest, PullRequests } from './forge.ts';
import type { ForgeClient } from './forge-client.ts';

export const opened = (json: unknown): OpenRequest => ({
  id: String(numberAt(json, 'number')),
  head: textAt(json, 'head', 'ref'),
  url: textAt(json, 'html_url'),
});

/** The calls that change pull requests: GitHub's, which Gitea has taken over. `path` is that of the repository. */
export const githubWrites = (client: ForgeClient, path: string): Pick<PullRequests, 'create' | 'update' | 'close'> => ({
  async create({ title, body, head, base, labels }) {
    const request = opened(await client.send('POST', `${path}/pulls`, { body: { title, body, head, base } }));
    if (labels.length > 0)
      await client.send('POST', `${path}/issues/${request.id}/labels`, { body: { labels: [...labels] } });
    return request;
  },
  async update({ id }, { title, body }) {
    await client.send('PATCH', `${path}/pulls/${id}`, { body: { title, body } });
  },
  async close({ id }, comment) {
    await client.send('POST', `${path}/issues/${id}/comments`, { body: { body: comment } });
    await client.send('PATCH', `${path}/pulls/${id}`, { body: { state: 'closed' } });
  },
});
