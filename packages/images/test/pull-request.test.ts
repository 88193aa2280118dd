import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { HttpSession, RepositoryTokens } from '@fairlead/source';
import { type ForgeName, forgeNames, forges } from '../src/pull-request/forges.ts';
import type { PullRequest } from '../src/pull-request/pull-request.ts';
import { openPullRequests, type RequestOutcome, requestChange } from '../src/pull-request/request-changes.ts';
import { startForge } from './support/forge-server.ts';

const repositories: Readonly<Record<ForgeName, string>> = {
  github: '/acme/shop.git',
  gitlab: '/acme/shop.git',
  gitea: '/acme/shop.git',
  bitbucket: '/acme/shop.git',
  bitbucketServer: '/scm/acme/shop.git',
  azuredevops: '/acme/web/_git/shop',
};
const prefix = 'image-updater-0123abcd-';
const change = (head: string, isNew = true) => ({
  branchPrefix: prefix,
  isNew,
  request: {
    title: `build: update ${head}`,
    body: 'updates image nginx',
    head,
    base: 'main',
    labels: ['images', 'automated'],
  } satisfies PullRequest,
});

async function connect(name: ForgeName, password = 'the-token') {
  const forge = await startForge(name);
  const environment = {};
  const http = new HttpSession({ clock: systemClock, environment });
  const tokens = new RepositoryTokens({ http, clock: systemClock, environment });
  const requests = await openPullRequests({ http, tokens }, forges[name], {
    repository: `${forge.url}${repositories[name]}`,
    credentials: { name: 'bot', username: 'bot', password },
    api: name === 'bitbucket' ? `${forge.url}/2.0` : '',
  });
  const close = async (): Promise<void> => {
    await http.close();
    await forge.close();
  };
  return { forge, requests, close };
}

for (const name of forgeNames) {
  const { title, hasLabels } = forges[name];

  test(`${title}: a change becomes one pull request, which replaces those for older images`, async () => {
    const { forge, requests, close } = await connect(name);
    try {
      for (let at = 0; at < 120; at++) forge.add({ head: `feature-${at}` });
      const old = forge.add({ head: `${prefix}1111` });
      const elsewhere = forge.add({ head: `${prefix}1111`, base: 'release' });
      const fork = forge.add({ head: `${prefix}2222`, isFork: true });
      const outcome = await requestChange(requests, change(`${prefix}3333`));
      const own = forge.requests.at(-1);
      assert.equal(own?.head, `${prefix}3333`);
      assert.deepEqual(own.labels, hasLabels ? ['images', 'automated'] : []);
      assert.deepEqual([own.title, own.body], [`build: update ${prefix}3333`, 'updates image nginx']);
      assert.equal(outcome.kind, 'open');
      assert.match(outcome.url, new RegExp(`/${own.id}$`, 'u'));
      assert.equal(old.state, 'closed');
      assert.deepEqual(old.comments, [`Superseded by ${outcome.url}.`]);
      assert.deepEqual([elsewhere.state, fork.state], ['open', 'open']);
      assert.deepEqual(
        forge.requests.filter(({ state }) => state === 'closed'),
        [old],
      );
    } finally {
      await close();
    }
  });

  test(`${title}: an open pull request is updated, and not opened twice`, async () => {
    const { forge, requests, close } = await connect(name);
    try {
      const first = await requestChange(requests, change(`${prefix}3333`));
      const own = forge.requests[0];
      assert.ok(own);
      own.title = 'an older title';
      const again = await requestChange(requests, change(`${prefix}3333`));
      const unchanged = await requestChange(requests, change(`${prefix}3333`, false));
      const urls = [first, again, unchanged].map((outcome: RequestOutcome) => outcome.url);
      assert.equal(new Set(urls).size, 1);
      assert.equal(forge.requests.length, 1);
      assert.equal(own.title, `build: update ${prefix}3333`);
    } finally {
      await close();
    }
  });

  test(`${title}: a pull request that a person closed is not opened again; a merged one is not a rejection`, async () => {
    const { forge, requests, close } = await connect(name);
    try {
      forge.add({ head: `${prefix}3333`, state: 'closed' });
      const outcome = await requestChange(requests, change(`${prefix}3333`, false));
      assert.equal(outcome.kind, 'rejected');
      assert.match(outcome.url, /\/1$/u);
      forge.add({ head: `${prefix}4444`, state: 'merged' });
      assert.equal((await requestChange(requests, change(`${prefix}4444`, false))).kind, 'open');
    } finally {
      await close();
    }
  });

  test(`${title}: a refusal names the call and what the forge said, without the token`, async () => {
    const { requests, close } = await connect(name, 'a-wrong-token');
    try {
      await assert.rejects(requests.open('main'), (error: Error) => {
        assert.match(error.message, /^GET http:\/\/127\.0\.0\.1:\d+\/\S+ returned 401: Bad credentials$/u);
        return true;
      });
    } finally {
      await close();
    }
  });
}

test('a pull request needs credentials with a token', async () => {
  const access = {
    http: new HttpSession({ clock: systemClock, environment: {} }),
    tokens: { usable: async () => undefined },
  };
  await assert.rejects(
    openPullRequests(access, forges.github, {
      repository: 'git@github.com:acme/shop.git',
      credentials: undefined,
      api: '',
    }),
    { reason: 'InvalidCredentials', message: /a pull request on GitHub needs a token: use an https address/u },
  );
  await access.http.close();
});

test('an address that is not a repository of the forge is an error', async () => {
  const access = {
    http: new HttpSession({ clock: systemClock, environment: {} }),
    tokens: { usable: async () => ({ name: 'x', password: 'y' }) },
  };
  for (const name of forgeNames)
    await assert.rejects(
      openPullRequests(access, forges[name], {
        repository: 'https://forge.example.com/shop',
        credentials: undefined,
        api: '',
      }),
      { reason: 'InvalidTarget', message: /does not name a repository of/u },
    );
  await access.http.close();
});
