import { at, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { basic, type Forge, type OpenRequest, pathParts } from './forge.ts';

const perPage = 50;

const opened = (json: unknown): OpenRequest => ({
  id: String(numberAt(json, 'id')),
  head: textAt(json, 'source', 'branch', 'name'),
  url: textAt(json, 'links', 'html', 'href'),
});

const quoted = (text: string): string => JSON.stringify(text);

/** Bitbucket Cloud. An app password needs its user; a repository access token has none, or `x-token-auth`. */
export const bitbucketCloud: Forge = {
  title: 'Bitbucket',
  hasLabels: false,
  api: () => 'https://api.bitbucket.org/2.0',
  headers: (login) => ({
    authorization:
      login.isBearer || login.username === '' || login.username === 'x-token-auth'
        ? `Bearer ${login.token}`
        : basic(login),
  }),
  requests(client, repository) {
    const [workspace, name, ...more] = pathParts(repository);
    if (workspace === undefined || name === undefined || more.length > 0) return undefined;
    const path = `/repositories/${encodeURIComponent(workspace)}/${encodeURIComponent(name)}/pullrequests`;
    return {
      async open(base) {
        const q = `state="OPEN" AND destination.branch.name=${quoted(base)}`;
        const all = await client.pages(async (page) => {
          const json = await client.get(path, { q, pagelen: perPage, page });
          return { items: listAt(json, 'values'), isLast: at(json, 'next') === undefined };
        });
        const repositoryOf = (json: unknown, side: string): string => textAt(json, side, 'repository', 'full_name');
        return all.filter((json) => repositoryOf(json, 'source') === repositoryOf(json, 'destination')).map(opened);
      },
      async rejected(head, base) {
        const q = `state="DECLINED" AND source.branch.name=${quoted(head)} AND destination.branch.name=${quoted(base)}`;
        const [found] = listAt(await client.get(path, { q }), 'values');
        return found === undefined ? undefined : opened(found).url;
      },
      async create({ title, body, head, base }) {
        const request = {
          title,
          description: body,
          source: { branch: { name: head } },
          destination: { branch: { name: base } },
          close_source_branch: true,
        };
        return opened(await client.send('POST', path, { body: request }));
      },
      async update({ id }, { title, body }) {
        await client.send('PUT', `${path}/${id}`, { body: { title, description: body } });
      },
      async close({ id }, comment) {
        await client.send('POST', `${path}/${id}/comments`, { body: { content: { raw: comment } } });
        await client.send('POST', `${path}/${id}/decline`, {});
      },
    };
  },
};
