import type { IncomingMessage } from 'node:http';
import { at, type Json, textAt } from '@fairlead/apimachinery';
import { listen } from '@fairlead/source/testing';
import type { ForgeName } from '../../src/pull-request/forges.ts';

/** A pull request as a forge stores it. */
export interface StoredRequest {
  readonly id: number;
  title: string;
  body: string;
  readonly head: string;
  readonly base: string;
  readonly labels: string[];
  readonly comments: string[];
  readonly isFork: boolean;
  state: 'open' | 'closed' | 'merged';
  version: number;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
}

/** What a forge answers: `[status, body]`, or undefined for an address that it does not have. */
type Dialect = (call: Call, requests: StoredRequest[]) => readonly [number, Json] | undefined;

/** The credentials that each forge expects for the user `bot` with the token `the-token`. */
const basic = (user: string): string => `Basic ${Buffer.from(`${user}:the-token`).toString('base64')}`;
export const expectedLogin: Readonly<Record<ForgeName, string>> = {
  github: 'Bearer the-token',
  gitlab: 'Bearer the-token',
  gitea: 'token the-token',
  bitbucket: basic('bot'),
  bitbucketServer: basic('bot'),
  azuredevops: basic(''),
};

/** A forge on loopback that speaks the calls for pull requests, as its API description defines them. Everything else is 404 or 401. */
export async function startForge(name: ForgeName) {
  const requests: StoredRequest[] = [];
  let isDown = false;
  const server = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://forge');
    const call = { method: request.method ?? '', path: decodeURIComponent(pathname), query: searchParams };
    const isKnown = request.headers.authorization === expectedLogin[name];
    const body = await bodyOf(request);
    const [status, answer] = isDown
      ? [503, { message: 'the forge is down' }]
      : isKnown
        ? (dialects[name]({ ...call, body }, requests) ?? [404, { message: `no ${call.method} ${call.path}` }])
        : [401, { message: 'Bad credentials' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const add = (more: Partial<StoredRequest> & Pick<StoredRequest, 'head'>): StoredRequest => {
    const request: StoredRequest = {
      id: requests.length + 1,
      title: 'a title',
      body: '',
      base: 'main',
      labels: [],
      comments: [],
      isFork: false,
      state: 'open',
      version: 0,
      ...more,
    };
    requests.push(request);
    return request;
  };
  const refuse = (all: boolean): void => {
    isDown = all;
  };
  return { url: server.url, requests, add, refuse, close: () => server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? null : JSON.parse(text);
}

const missing = (body: Json, ...fields: string[]): readonly [number, Json] | undefined => {
  const absent = fields.filter((field) => textAt(body, ...field.split('.')) === '');
  return absent.length === 0 ? undefined : [422, { message: `missing: ${absent.join(', ')}` }];
};

function created(
  requests: StoredRequest[],
  fields: Pick<StoredRequest, 'title' | 'body' | 'head' | 'base'>,
  labels: string[],
) {
  const request: StoredRequest = {
    id: requests.length + 1,
    ...fields,
    labels,
    comments: [],
    isFork: false,
    state: 'open',
    version: 0,
  };
  requests.push(request);
  return request;
}

function edit(
  request: StoredRequest,
  changes: { title?: string; body?: string; state?: StoredRequest['state'] },
): void {
  if (changes.title) request.title = changes.title;
  if (changes.body) request.body = changes.body;
  if (changes.state) request.state = changes.state;
  request.version += 1;
}

const numbered = (path: string, pattern: RegExp, requests: StoredRequest[]) => {
  const id = pattern.exec(path)?.[1];
  return id === undefined ? undefined : requests.find((request) => request.id === Number(id));
};

/** Shared by GitHub and Gitea, which took over its calls. */
const githubShape = (request: StoredRequest): Json => ({
  number: request.id,
  title: request.title,
  body: request.body,
  state: request.state === 'open' ? 'open' : 'closed',
  merged: request.state === 'merged',
  merged_at: request.state === 'merged' ? '2026-01-01T00:00:00Z' : null,
  html_url: `https://forge.example.com/acme/shop/pulls/${request.id}`,
  head: {
    ref: request.head,
    repo_id: request.isFork ? 2 : 1,
    repo: { full_name: request.isFork ? 'other/shop' : 'acme/shop' },
  },
  base: { ref: request.base, repo_id: 1 },
});

const githubCalls =
  (root: string): Dialect =>
  ({ method, path, query, body }, requests) => {
    const repository = `${root}/repos/acme/shop`;
    if (method === 'GET' && path === `${repository}/pulls`) {
      const state = query.get('state');
      const head = query.get('head');
      const base = query.get('base');
      const chosen = requests.filter(
        (request) =>
          (state === 'open') === (request.state === 'open') &&
          (head === null || head === `acme:${request.head}`) &&
          (base === null || base === request.base),
      );
      const size = Number(query.get('per_page') ?? query.get('limit') ?? 30);
      const from = (Number(query.get('page') ?? 1) - 1) * size;
      return [200, chosen.slice(from, from + size).map(githubShape)];
    }
    if (method === 'POST' && path === `${repository}/pulls`) {
      const problem = missing(body, 'title', 'head', 'base');
      if (problem) return problem;
      const fields = {
        title: textAt(body, 'title'),
        body: textAt(body, 'body'),
        head: textAt(body, 'head'),
        base: textAt(body, 'base'),
      };
      return [201, githubShape(created(requests, fields, []))];
    }
    const issue = numbered(path, /\/issues\/(\d+)\/(?:labels|comments)$/u, requests);
    if (method === 'POST' && issue && path.endsWith('/labels')) {
      const labels = at(body, 'labels');
      if (!Array.isArray(labels)) return [422, { message: 'labels is not a list' }];
      issue.labels.push(...labels.map(String));
      return [200, []];
    }
    if (method === 'POST' && issue) {
      issue.comments.push(textAt(body, 'body'));
      return [201, {}];
    }
    const pull = numbered(path, /\/pulls\/(\d+)$/u, requests);
    if (method === 'PATCH' && pull) {
      edit(pull, {
        title: textAt(body, 'title'),
        body: textAt(body, 'body'),
        ...(textAt(body, 'state') === 'closed' ? { state: 'closed' } : {}),
      });
      return [200, githubShape(pull)];
    }
    return undefined;
  };

const gitlabShape = (request: StoredRequest): Json => ({
  iid: request.id,
  source_branch: request.head,
  target_branch: request.base,
  source_project_id: request.isFork ? 2 : 1,
  target_project_id: 1,
  web_url: `https://forge.example.com/acme/shop/-/merge_requests/${request.id}`,
});

const gitlabCalls: Dialect = ({ method, path, query, body }, requests) => {
  const root = '/api/v4/projects/acme/shop/merge_requests';
  if (method === 'GET' && path === root) {
    const state = { opened: 'open', closed: 'closed', merged: 'merged' }[query.get('state') ?? ''];
    const size = Number(query.get('per_page') ?? 20);
    const from = (Number(query.get('page') ?? 1) - 1) * size;
    const chosen = requests.filter(
      (request) =>
        request.state === state &&
        request.base === query.get('target_branch') &&
        [null, request.head].includes(query.get('source_branch')),
    );
    return [200, chosen.slice(from, from + size).map(gitlabShape)];
  }
  if (method === 'POST' && path === root) {
    const problem = missing(body, 'title', 'source_branch', 'target_branch');
    if (problem) return problem;
    const fields = {
      title: textAt(body, 'title'),
      body: textAt(body, 'description'),
      head: textAt(body, 'source_branch'),
      base: textAt(body, 'target_branch'),
    };
    const labels = textAt(body, 'labels').split(',').filter(Boolean);
    return [201, gitlabShape(created(requests, fields, labels))];
  }
  const noted = numbered(path, /\/(\d+)\/notes$/u, requests);
  if (method === 'POST' && noted) {
    noted.comments.push(textAt(body, 'body'));
    return [201, {}];
  }
  const request = numbered(path, /\/merge_requests\/(\d+)$/u, requests);
  if (method !== 'PUT' || !request) return undefined;
  edit(request, {
    title: textAt(body, 'title'),
    body: textAt(body, 'description'),
    ...(textAt(body, 'state_event') === 'close' ? { state: 'closed' } : {}),
  });
  return [200, gitlabShape(request)];
};

const giteaCalls: Dialect = (call, requests) => {
  const pair = /^\/api\/v1\/repos\/acme\/shop\/pulls\/([^/]+)\/([^/]+)$/u.exec(call.path);
  if (call.method === 'GET' && pair) {
    const found = requests.findLast((request) => request.base === pair[1] && request.head === pair[2]);
    return found ? [200, githubShape(found)] : [404, { message: 'pull request does not exist' }];
  }
  return githubCalls('/api/v1')(call, requests);
};

const cloudShape = (request: StoredRequest): Json => ({
  id: request.id,
  title: request.title,
  links: { html: { href: `https://forge.example.com/acme/shop/pull-requests/${request.id}` } },
  source: { branch: { name: request.head }, repository: { full_name: request.isFork ? 'other/shop' : 'acme/shop' } },
  destination: { branch: { name: request.base }, repository: { full_name: 'acme/shop' } },
});

const cloudStates: Readonly<Record<string, StoredRequest['state']>> = {
  OPEN: 'open',
  DECLINED: 'closed',
  MERGED: 'merged',
};

const cloudCalls: Dialect = ({ method, path, query, body }, requests) => {
  const root = '/2.0/repositories/acme/shop/pullrequests';
  if (method === 'GET' && path === root) {
    const terms = Object.fromEntries(
      (query.get('q') ?? '').split(' AND ').map((term) => {
        const [field = '', value = ''] = term.split('=');
        return [field, JSON.parse(value)];
      }),
    );
    const size = Number(query.get('pagelen') ?? 10);
    const page = Number(query.get('page') ?? 1);
    const chosen = requests.filter(
      (request) =>
        request.state === cloudStates[terms['state']] &&
        [undefined, request.base].includes(terms['destination.branch.name']) &&
        [undefined, request.head].includes(terms['source.branch.name']),
    );
    const next = chosen.length > page * size ? { next: `${root}?page=${page + 1}` } : {};
    return [200, { values: chosen.slice((page - 1) * size, page * size).map(cloudShape), page, ...next }];
  }
  if (method === 'POST' && path === root) {
    const problem = missing(body, 'title', 'source.branch.name', 'destination.branch.name');
    if (problem) return problem;
    const fields = {
      title: textAt(body, 'title'),
      body: textAt(body, 'description'),
      head: textAt(body, 'source', 'branch', 'name'),
      base: textAt(body, 'destination', 'branch', 'name'),
    };
    return [201, cloudShape(created(requests, fields, []))];
  }
  const request = numbered(path, /\/pullrequests\/(\d+)(?:\/\w+)?$/u, requests);
  if (!request) return undefined;
  if (method === 'POST' && path.endsWith('/comments')) {
    request.comments.push(textAt(body, 'content', 'raw'));
    return [201, {}];
  }
  if (method === 'POST' && path.endsWith('/decline')) edit(request, { state: 'closed' });
  else if (method === 'PUT') edit(request, { title: textAt(body, 'title'), body: textAt(body, 'description') });
  else return undefined;
  return [200, cloudShape(request)];
};

const serverShape = (request: StoredRequest): Json => ({
  id: request.id,
  version: request.version,
  title: request.title,
  reviewers: [{ user: { name: 'ada' } }],
  fromRef: { displayId: request.head, repository: { id: request.isFork ? 2 : 1 } },
  toRef: { displayId: request.base, repository: { id: 1 } },
  links: { self: [{ href: `https://forge.example.com/projects/ACME/repos/shop/pull-requests/${request.id}` }] },
});

const serverCalls: Dialect = ({ method, path, query, body }, requests) => {
  const root = '/rest/api/1.0/projects/acme/repos/shop/pull-requests';
  if (method === 'GET' && path === root) {
    const chosen = requests.filter(
      (request) =>
        request.state === cloudStates[query.get('state') ?? ''] && query.get('at') === `refs/heads/${request.base}`,
    );
    const start = Number(query.get('start') ?? 0);
    const end = start + Number(query.get('limit') ?? 25);
    const more = chosen.length > end ? { isLastPage: false, nextPageStart: end } : { isLastPage: true };
    return [200, { values: chosen.slice(start, end).map(serverShape), ...more }];
  }
  if (method === 'POST' && path === root) {
    const problem = missing(body, 'title', 'fromRef.id', 'toRef.id');
    if (problem) return problem;
    const branch = (side: string): string => textAt(body, side, 'id').replace('refs/heads/', '');
    const fields = {
      title: textAt(body, 'title'),
      body: textAt(body, 'description'),
      head: branch('fromRef'),
      base: branch('toRef'),
    };
    return [201, serverShape(created(requests, fields, []))];
  }
  const request = numbered(path, /\/pull-requests\/(\d+)(?:\/\w+)?$/u, requests);
  if (!request) return undefined;
  if (method === 'GET') return [200, serverShape(request)];
  if (method === 'POST' && path.endsWith('/comments')) {
    request.comments.push(textAt(body, 'text'));
    return [201, {}];
  }
  const version = method === 'PUT' ? at(body, 'version') : Number(query.get('version') ?? -1);
  if (version !== request.version) return [409, { errors: [{ message: 'the version is not the current one' }] }];
  if (method === 'POST' && path.endsWith('/decline')) edit(request, { state: 'closed' });
  else if (method === 'PUT' && Array.isArray(at(body, 'reviewers')))
    edit(request, { title: textAt(body, 'title'), body: textAt(body, 'description') });
  else return undefined;
  return [200, serverShape(request)];
};

const azureShape = (request: StoredRequest): Json => ({
  pullRequestId: request.id,
  sourceRefName: `refs/heads/${request.head}`,
  targetRefName: `refs/heads/${request.base}`,
  repository: { webUrl: 'https://forge.example.com/acme/web/_git/shop' },
  ...(request.isFork ? { forkSource: { name: 'refs/heads/x' } } : {}),
});

const azureStates: Readonly<Record<string, StoredRequest['state']>> = {
  active: 'open',
  abandoned: 'closed',
  completed: 'merged',
};

const azureCalls: Dialect = ({ method, path, query, body }, requests) => {
  if (!query.has('api-version')) return [400, { message: 'api-version is required' }];
  const root = '/acme/web/_apis/git/repositories/shop/pullrequests';
  const branch = (ref: string | null): string | undefined => ref?.replace('refs/heads/', '');
  if (method === 'GET' && path === root) {
    const [source, target] = ['source', 'target'].map((side) => branch(query.get(`searchCriteria.${side}RefName`)));
    const skip = Number(query.get('$skip') ?? 0);
    const chosen = requests.filter(
      (request) =>
        request.state === azureStates[query.get('searchCriteria.status') ?? ''] &&
        [undefined, request.head].includes(source) &&
        [undefined, request.base].includes(target),
    );
    return [200, { value: chosen.slice(skip, skip + Number(query.get('$top') ?? 100)).map(azureShape) }];
  }
  if (method === 'POST' && path === root) {
    const problem = missing(body, 'title', 'sourceRefName', 'targetRefName');
    if (problem) return problem;
    if (textAt(body, 'description').length > 4000) return [400, { message: 'description is longer than 4000' }];
    const labels = at(body, 'labels');
    const fields = {
      title: textAt(body, 'title'),
      body: textAt(body, 'description'),
      head: branch(textAt(body, 'sourceRefName')) ?? '',
      base: branch(textAt(body, 'targetRefName')) ?? '',
    };
    const names = Array.isArray(labels) ? labels.map((label) => textAt(label, 'name')) : [];
    return [201, azureShape(created(requests, fields, names))];
  }
  const request = numbered(path, /\/pullrequests\/(\d+)(?:\/threads)?$/u, requests);
  if (!request) return undefined;
  if (method === 'POST' && path.endsWith('/threads')) {
    const comments = at(body, 'comments');
    if (!Array.isArray(comments)) return [400, { message: 'comments are missing' }];
    request.comments.push(...comments.map((comment) => textAt(comment, 'content')));
    return [200, {}];
  }
  if (method !== 'PATCH') return undefined;
  const state = azureStates[textAt(body, 'status')];
  edit(request, { title: textAt(body, 'title'), body: textAt(body, 'description'), ...(state ? { state } : {}) });
  return [200, azureShape(request)];
};

const dialects: Readonly<Record<ForgeName, Dialect>> = {
  github: githubCalls('/api/v3'),
  gitlab: gitlabCalls,
  gitea: giteaCalls,
  bitbucket: cloudCalls,
  bitbucketServer: serverCalls,
  azuredevops: azureCalls,
};
