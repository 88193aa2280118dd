import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Answers as the descriptions of the APIs of GitHub, GitLab, Gitea, Bitbucket, Bitbucket Server, Azure DevOps and AWS CodeCommit say: with
 * their paths, pages and ways to sign in. Each has the repositories `web` and `api`, on two pages where it has pages.
 */
export interface FakeForges {
  readonly url: string;
  /** The open pull requests of each forge. */
  readonly pullRequests: Set<number>;
  /** Every request is refused while this is set. */
  down: boolean;
  close(): Promise<void>;
}

export const forgeToken = 'forge-token';
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const repositories = ['web', 'api'];
const sha = '1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a';

interface Ask {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly base: string;
  readonly numbers: readonly number[];
}
interface Answer {
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Route {
  readonly path: RegExp;
  readonly mayAsk: (headers: IncomingHttpHeaders) => boolean;
  readonly answer: (ask: Ask) => Answer;
}

const bearer = ({ authorization }: IncomingHttpHeaders): boolean => authorization === `Bearer ${forgeToken}`;
const gitlab = (headers: IncomingHttpHeaders): boolean => headers['private-token'] === forgeToken;
const gitea = ({ authorization }: IncomingHttpHeaders): boolean => authorization === `token ${forgeToken}`;
const azure = ({ authorization }: IncomingHttpHeaders): boolean => authorization === basic(`:${forgeToken}`);
const password = ({ authorization }: IncomingHttpHeaders): boolean => authorization === basic(`jo:${forgeToken}`);
const signed = ({ authorization = '' }: IncomingHttpHeaders): boolean => authorization.startsWith('AWS4-HMAC-SHA256 ');

const isSecond = ({ url }: Ask, name: string, first: string): boolean =>
  (url.searchParams.get(name) ?? first) !== first;

const githubRepository = (name: string, id: number) => ({
  id,
  name,
  full_name: `acme/${name}`,
  owner: { login: 'acme' },
  default_branch: 'main',
  ssh_url: `git@forge.example.com:acme/${name}.git`,
  clone_url: `https://forge.example.com/acme/${name}.git`,
  html_url: `https://forge.example.com/acme/${name}`,
  topics: [],
  archived: false,
});
const githubPull = (number: number) => ({
  number,
  id: number,
  title: `request ${number}`,
  head: { ref: `feature-${number}`, sha },
  base: { ref: 'main' },
  labels: [],
  user: { login: 'jo' },
});

const routes: readonly Route[] = [
  {
    path: /^\/api\/v3\/orgs\/acme\/repos$/u,
    mayAsk: bearer,
    answer(ask) {
      if (isSecond(ask, 'page', '1')) return { json: [githubRepository('api', 2)] };
      const next = `<${ask.base}/api/v3/orgs/acme/repos?page=2>; rel="next"`;
      return { json: [githubRepository('web', 1)], headers: { link: next } };
    },
  },
  {
    path: /^\/api\/v3\/repos\/acme\/\w+\/branches\/main$/u,
    mayAsk: bearer,
    answer: () => ({ json: { name: 'main', commit: { sha } } }),
  },
  {
    path: /^\/api\/v3\/repos\/acme\/web\/pulls$/u,
    mayAsk: bearer,
    answer: ({ numbers }) => ({ json: numbers.map(githubPull) }),
  },
  {
    path: /^\/api\/v4\/groups\/acme\/projects$/u,
    mayAsk: gitlab,
    answer(ask) {
      const [name, id] = isSecond(ask, 'page', '1') ? ['api', 2] : ['web', 1];
      const project = {
        id,
        path: name,
        namespace: { full_path: 'acme' },
        default_branch: 'main',
        ssh_url_to_repo: `git@forge.example.com:acme/${name}.git`,
        http_url_to_repo: `https://forge.example.com/acme/${name}.git`,
        topics: [],
      };
      return { json: [project], headers: id === 1 ? { 'x-next-page': '2' } : {} };
    },
  },
  {
    path: /^\/api\/v4\/projects\/\d\/repository\/branches\/main$/u,
    mayAsk: gitlab,
    answer: () => ({ json: { name: 'main', commit: { id: sha } } }),
  },
  {
    path: /^\/api\/v4\/projects\/acme%2Fweb\/merge_requests$/u,
    mayAsk: gitlab,
    answer: ({ numbers }) => ({
      json: numbers.map((iid) => ({
        iid,
        title: `request ${iid}`,
        source_branch: `feature-${iid}`,
        target_branch: 'main',
        sha,
        labels: [],
        author: { username: 'jo' },
        state: 'opened',
      })),
    }),
  },
  { path: /^\/api\/v1\/version$/u, mayAsk: gitea, answer: () => ({ json: { version: '1.22.0' } }) },
  {
    path: /^\/api\/v1\/orgs\/acme\/repos$/u,
    mayAsk: gitea,
    answer: () => ({ json: repositories.map((name, i) => githubRepository(name, i + 1)) }),
  },
  { path: /^\/api\/v1\/repos\/acme\/\w+\/labels$/u, mayAsk: gitea, answer: () => ({ json: [] }) },
  {
    path: /^\/api\/v1\/repos\/acme\/\w+\/branches\/main$/u,
    mayAsk: gitea,
    answer: () => ({ json: { name: 'main', commit: { id: sha } } }),
  },
  {
    path: /^\/api\/v1\/repos\/acme\/web\/pulls$/u,
    mayAsk: gitea,
    answer: ({ numbers }) => ({ json: numbers.map(githubPull) }),
  },
  {
    path: /^\/rest\/api\/1\.0\/projects\/PRJ\/repos$/u,
    mayAsk: password,
    answer(ask) {
      const name = isSecond(ask, 'start', '0') ? 'api' : 'web';
      const clone = ['http', 'ssh'].map((link) => ({ name: link, href: `${link}://forge.example.com/${name}.git` }));
      const values = [{ id: 1, slug: name, name, project: { key: 'PRJ' }, links: { clone } }];
      return { json: name === 'api' ? { isLastPage: true, values } : { isLastPage: false, nextPageStart: 1, values } };
    },
  },
  {
    path: /^\/rest\/api\/1\.0\/projects\/PRJ\/repos\/\w+\/branches\/default$/u,
    mayAsk: password,
    answer: () => ({ json: { id: 'refs/heads/main', displayId: 'main', latestCommit: sha, isDefault: true } }),
  },
  {
    path: /^\/rest\/api\/1\.0\/projects\/PRJ\/repos\/web\/pull-requests$/u,
    mayAsk: password,
    answer: ({ numbers }) => ({
      json: {
        isLastPage: true,
        values: numbers.map((id) => ({
          id,
          title: `request ${id}`,
          state: 'OPEN',
          fromRef: { id: `refs/heads/feature-${id}`, displayId: `feature-${id}`, latestCommit: sha },
          toRef: { id: 'refs/heads/main', displayId: 'main', latestCommit: sha },
          author: { user: { name: 'jo' } },
        })),
      },
    }),
  },
  {
    path: /^\/repositories\/acme\/web\/pullrequests\/?$/u,
    mayAsk: bearer,
    answer(ask) {
      const second = isSecond(ask, 'page', '1');
      const numbers = second ? ask.numbers.slice(1) : ask.numbers.slice(0, 1);
      const values = numbers.map((id) => ({
        id,
        title: `request ${id}`,
        source: { branch: { name: `feature-${id}` }, commit: { hash: sha } },
        destination: { branch: { name: 'main' } },
        author: { nickname: 'jo' },
      }));
      return { json: { values, ...(second ? {} : { next: `${ask.base}${ask.url.pathname}?page=2` }) } };
    },
  },
  {
    path: /^\/acme\/proj\/_apis\/git\/repositories$/u,
    mayAsk: azure,
    answer: () => ({
      json: {
        value: repositories.map((name, i) => ({
          id: `${i + 1}`.repeat(8),
          name,
          defaultBranch: 'refs/heads/main',
          remoteUrl: `https://forge.example.com/acme/proj/_git/${name}`,
        })),
      },
    }),
  },
  {
    path: /^\/acme\/proj\/_apis\/git\/repositories\/\w+\/stats\/branches$/u,
    mayAsk: azure,
    answer: () => ({ json: { name: 'main', commit: { commitId: sha } } }),
  },
  {
    path: /^\/acme\/proj\/_apis\/git\/pullRequests$/iu,
    mayAsk: azure,
    answer: ({ numbers }) => ({
      json: {
        value: numbers.map((pullRequestId) => ({
          pullRequestId,
          title: `request ${pullRequestId}`,
          repository: { name: 'web' },
          sourceRefName: `refs/heads/feature-${pullRequestId}`,
          targetRefName: 'refs/heads/main',
          lastMergeSourceCommit: { commitId: sha },
          labels: [],
          createdBy: { uniqueName: 'jo' },
        })),
      },
    }),
  },
  {
    path: /^\/$/u,
    mayAsk: signed,
    answer(ask) {
      const action = String(ask.headers['x-amz-target']).split('.').at(-1);
      const body: { nextToken?: string; repositoryName?: string } = JSON.parse(ask.body);
      if (action === 'ListRepositories')
        return {
          json: {
            repositories: [{ repositoryName: body.nextToken ? 'api' : 'web' }],
            ...(body.nextToken ? {} : { nextToken: '2' }),
          },
        };
      const name = body.repositoryName ?? '';
      return {
        json: {
          repositoryMetadata: {
            accountId: '1',
            repositoryId: name,
            repositoryName: name,
            defaultBranch: 'main',
            cloneUrlSsh: `ssh://git-codecommit.example.com/v1/repos/${name}`,
          },
        },
      };
    },
  },
  {
    path: /^\/plugin\/api\/v1\/getparams\.execute$/u,
    mayAsk: bearer,
    answer: () => ({ json: { output: { parameters: repositories.map((repository) => ({ repository })) } } }),
  },
];

export async function startFakeForges(): Promise<FakeForges> {
  const forge = { url: '', pullRequests: new Set([1, 2]), down: false };
  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const url = new URL(request.url ?? '/', forge.url);
    const route = routes.find(({ path }) => path.test(url.pathname));
    const status = forge.down ? 503 : !route ? 404 : route.mayAsk(request.headers) ? 200 : 401;
    const numbers = [...forge.pullRequests];
    const found =
      status === 200
        ? route?.answer({ url, headers: request.headers, body, base: forge.url, numbers })
        : { json: { message: `status ${status}` } };
    response.writeHead(status, { 'content-type': 'application/json', ...found?.headers });
    response.end(JSON.stringify(found?.json));
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => answer(request, response, Buffer.concat(parts).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  forge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(forge, {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
