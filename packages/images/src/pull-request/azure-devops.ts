import { at, type Json, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { basic, type Forge, type OpenRequest, pathParts } from './forge.ts';

const perPage = 100;
const version = { 'api-version': '7.1' };
/** The longest description that the API accepts. */
const maxDescription = 4000;
const ref = (branch: string): string => `refs/heads/${branch}`;

/** Azure DevOps: `https://dev.azure.com/ORGANIZATION/PROJECT/_git/NAME`, or `https://ORGANIZATION.visualstudio.com/PROJECT/_git/NAME`. */
export const azureDevOps: Forge = {
  title: 'Azure DevOps',
  hasLabels: true,
  api: (repository, origin) => {
    const parts = pathParts(repository);
    const parents = parts.slice(0, Math.max(0, parts.indexOf('_git')));
    return [origin, ...parents.map(encodeURIComponent)].join('/');
  },
  headers: (login) => ({ authorization: login.isBearer ? `Bearer ${login.token}` : basic({ ...login, username: '' }) }),
  requests(client, repository) {
    const parts = pathParts(repository);
    const name = parts[parts.indexOf('_git') + 1];
    if (!parts.includes('_git') || name === undefined) return undefined;
    const path = `/_apis/git/repositories/${encodeURIComponent(name)}/pullrequests`;
    const opened = (json: unknown): OpenRequest => {
      const id = String(numberAt(json, 'pullRequestId'));
      const page = textAt(json, 'repository', 'webUrl');
      return {
        id,
        head: textAt(json, 'sourceRefName').replace(/^refs\/heads\//u, ''),
        url: page === '' ? textAt(json, 'url') : `${page}/pullrequest/${id}`,
      };
    };
    const listed = async (query: Readonly<Record<string, string>>): Promise<readonly Json[]> => {
      const all = await client.pages(async (page) => {
        const json = await client.get(path, { ...version, ...query, $top: perPage, $skip: (page - 1) * perPage });
        const items = listAt(json, 'value');
        return { items, isLast: items.length < perPage };
      });
      return all.filter((json) => at(json, 'forkSource') === undefined);
    };
    return {
      open: async (base) =>
        (await listed({ 'searchCriteria.status': 'active', 'searchCriteria.targetRefName': ref(base) })).map(opened),
      async rejected(head, base) {
        const [found] = await listed({
          'searchCriteria.status': 'abandoned',
          'searchCriteria.sourceRefName': ref(head),
          'searchCriteria.targetRefName': ref(base),
        });
        return found === undefined ? undefined : opened(found).url;
      },
      async create({ title, body, head, base, labels }) {
        const request = {
          title,
          description: body.slice(0, maxDescription),
          sourceRefName: ref(head),
          targetRefName: ref(base),
          labels: labels.map((label) => ({ name: label })),
        };
        return opened(await client.send('POST', path, { query: version, body: request }));
      },
      async update({ id }, { title, body }) {
        const request = { title, description: body.slice(0, maxDescription) };
        await client.send('PATCH', `${path}/${id}`, { query: version, body: request });
      },
      async close({ id }, comment) {
        const thread = { comments: [{ parentCommentId: 0, content: comment, commentType: 1 }], status: 'closed' };
        await client.send('POST', `${path}/${id}/threads`, { query: version, body: thread });
        await client.send('PATCH', `${path}/${id}`, { query: version, body: { status: 'abandoned' } });
      },
    };
  },
};
