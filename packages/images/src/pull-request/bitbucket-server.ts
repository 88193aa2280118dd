import { at, elementAt, type Json, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { basic, type Forge, type OpenRequest, pathParts } from './forge.ts';

const perPage = 100;

const opened = (json: unknown): OpenRequest => ({
  id: String(numberAt(json, 'id')),
  head: textAt(json, 'fromRef', 'displayId'),
  url: textAt(listAt(json, 'links', 'self')[0], 'href'),
});

const isOwn = (json: Json): boolean =>
  at(json, 'fromRef', 'repository', 'id') === at(json, 'toRef', 'repository', 'id');

/** Bitbucket Server and Data Center. Repositories are at `/scm/PROJECT/NAME.git`. */
export const bitbucketServer: Forge = {
  title: 'Bitbucket Server',
  hasLabels: false,
  api: (_, origin) => `${origin}/rest/api/1.0`,
  headers: (login) => ({
    authorization: login.isBearer || login.username === '' ? `Bearer ${login.token}` : basic(login),
  }),
  requests(client, repository) {
    const parts = pathParts(repository);
    const [project, name] = parts.slice(-2);
    if (project === undefined || name === undefined) return undefined;
    const path = `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(name)}/pull-requests`;
    const listed = (state: string, base: string): Promise<readonly Json[]> => {
      let start = 0;
      return client.pages(async () => {
        const json = await client.get(path, { state, at: `refs/heads/${base}`, limit: perPage, start });
        start = numberAt(json, 'nextPageStart');
        return { items: listAt(json, 'values').filter(isOwn), isLast: at(json, 'isLastPage') !== false };
      });
    };
    return {
      open: async (base) => (await listed('OPEN', base)).map(opened),
      async rejected(head, base) {
        return (await listed('DECLINED', base)).map(opened).find((request) => request.head === head)?.url;
      },
      async create({ title, body, head, base }) {
        const refs = [head, base].map((branch) => ({ id: `refs/heads/${branch}` }));
        const request = { title, description: body, fromRef: elementAt(refs, 0), toRef: elementAt(refs, 1) };
        return opened(await client.send('POST', path, { body: request }));
      },
      async update({ id }, { title, body }) {
        // What a change does not contain is removed, and its version must be the current one.
        const current = await client.get(`${path}/${id}`);
        const request = {
          title,
          description: body,
          version: numberAt(current, 'version'),
          reviewers: [...listAt(current, 'reviewers')],
        };
        await client.send('PUT', `${path}/${id}`, { body: request });
      },
      async close({ id }, comment) {
        await client.send('POST', `${path}/${id}/comments`, { body: { text: comment } });
        const version = numberAt(await client.get(`${path}/${id}`), 'version');
        await client.send('POST', `${path}/${id}/decline`, { query: { version } });
      },
    };
  },
};
