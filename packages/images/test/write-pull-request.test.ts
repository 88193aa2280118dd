/** From a new tag to a pull request: a real Git server, and a server that speaks the API of GitHub. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ImageUpdater } from '@fairlead/api';
import { limits, systemClock } from '@fairlead/kube';
import { HttpSession, RepositoryTokens } from '@fairlead/source';
import { selectionRule } from '../src/registry/image-registries.ts';
import { SharedTimeout } from '../src/run/shared-timeout.ts';
import { SlowRegistries } from '../src/run/slow-registries.ts';
import { type UpdateEnv, updateApplication } from '../src/run/update-application.ts';
import { watchedApplications } from '../src/run/watched-applications.ts';
import { selectTag } from '../src/tags/select-tag.ts';
import { defaultCommitTemplate, Template } from '../src/write-back/templates.ts';
import { startForge } from './support/forge-server.ts';
import { gitRepository } from './support/git-repository.ts';

const values = (tag: string, more = ''): string => `image:\n  repository: ghcr.io/acme/web\n  tag: ${tag}\n${more}`;

async function setup() {
  const repo = await gitRepository({ 'chart/values.yaml': values('"1.0"') }, {}, 'acme/shop.git');
  const forge = await startForge('github');
  const http = new HttpSession({ clock: systemClock, environment: {} });
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd', uid: 'u1' },
    spec: {
      project: 'default',
      destination: { namespace: 'x' },
      source: { repoURL: repo.url, path: 'chart', targetRevision: 'main' },
    },
    status: { sourceType: 'Helm', summary: { images: ['ghcr.io/acme/web:1.0'] } },
  };
  const updater: ImageUpdater = {
    apiVersion: 'argocd-image-updater.argoproj.io/v1alpha1',
    kind: 'ImageUpdater',
    metadata: { name: 'all', namespace: 'argocd' },
    spec: {
      writeBackConfig: {
        method: 'git',
        gitConfig: {
          writeBackTarget: 'helmvalues:values.yaml',
          pullRequest: { github: { api: `${forge.url}/api/v3` }, labels: ['images'] },
        },
      },
      applicationRefs: [
        {
          namePattern: 'web',
          images: [
            {
              alias: 'web',
              imageName: 'ghcr.io/acme/web:^1',
              manifestTargets: { helm: { name: 'image.repository', tag: 'image.tag' } },
            },
          ],
        },
      ],
    },
  };
  const { watched } = watchedApplications([application], [updater], {
    controllerNamespace: 'argocd',
    annotations: false,
  });
  const [entry] = watched;
  assert.ok(entry);
  const update = (...tags: string[]) =>
    updateApplication(
      {
        deadline: new SharedTimeout(systemClock, limits.imageUpdateMs),
        slowRegistries: new SlowRegistries(systemClock),
        registries: {
          registryOf: () => 'ghcr.io',
          select: async (rule: Parameters<typeof selectionRule>[0]) => ({
            selection: selectTag(
              tags.map((name) => ({ name })),
              selectionRule(rule),
            ),
            image: undefined,
          }),
        },
        writer: repo.writer,
        forges: { http, tokens: new RepositoryTokens({ http, clock: systemClock, environment: {} }) },
        secret: async () => undefined,
        repositoryProblem: () => undefined,
        repositoryCredentials: () => ({ name: 'bot', username: 'bot', password: 'the-token' }),
        commitTemplate: new Template(defaultCommitTemplate, 'commit message'),
        dryRun: false,
      } as unknown as UpdateEnv,
      entry,
      0,
    );
  return {
    repo,
    forge,
    update,
    branches: () => repo.git('branch', '--format=%(refname:short)').split('\n').sort(),
    async close() {
      await http.close();
      await forge.close();
      await repo.close();
    },
  };
}

test('a newer image is a branch and a pull request; a still newer one replaces both', async () => {
  const { repo, forge, update, branches, close } = await setup();
  try {
    const first = await update('1.0', '1.1');
    assert.deepEqual(first.problems, []);
    const [one] = forge.requests;
    assert.ok(one);
    assert.equal(first.pullRequest, 'https://forge.example.com/acme/shop/pulls/1');
    assert.deepEqual([one.title, one.base, one.labels], ['build: automatic update of web', 'main', ['images']]);
    assert.match(one.body, /updates image acme\/web tag '1\.0' to '1\.1'/u);
    assert.equal(repo.show('chart/values.yaml', one.head), values('"1.1"'));
    assert.equal(repo.show('chart/values.yaml'), values('"1.0"'), 'the base is not written to');

    const waiting = await update('1.0', '1.1');
    assert.deepEqual(waiting.held, [
      { image: 'web', reason: '1.1: waits until https://forge.example.com/acme/shop/pulls/1 is merged' },
    ]);

    const second = await update('1.0', '1.1', '1.2');
    assert.equal(second.pullRequest, 'https://forge.example.com/acme/shop/pulls/2');
    assert.deepEqual(
      forge.requests.map(({ state }) => state),
      ['closed', 'open'],
    );
    assert.deepEqual(branches(), [forge.requests[1]?.head, 'main'], 'the branch of the old one is gone');
  } finally {
    await close();
  }
});

test('a branch that would conflict is made again from its base; one with commits of a person is not', async () => {
  const { repo, forge, update, close } = await setup();
  try {
    await update('1.0', '1.1');
    const head = forge.requests[0]?.head ?? '';
    repo.commit({ 'README.md': 'elsewhere' });
    await update('1.0', '1.1');
    assert.equal(repo.log(head).includes('a change'), false, 'a commit elsewhere does not conflict');
    repo.commit({ 'chart/values.yaml': values('"1.0"', 'replicas: 3\n') }, 'three replicas');
    const report = await update('1.0', '1.1');
    assert.equal(report.pullRequest, 'https://forge.example.com/acme/shop/pulls/1');
    assert.equal(repo.show('chart/values.yaml', head), values('"1.1"', 'replicas: 3\n'));
    assert.deepEqual(repo.log(head).slice(0, 2), ['build: automatic update of web', 'three replicas']);
    assert.equal(forge.requests.length, 1);

    const tree = repo.git('rev-parse', `${head}^{tree}`);
    const person = repo.git('commit-tree', tree, '-p', head, '-m', 'a fix by a person');
    repo.git('update-ref', `refs/heads/${head}`, person);
    repo.commit({ 'chart/values.yaml': values('"1.0"', 'replicas: 4\n') }, 'four replicas');
    await update('1.0', '1.1');
    assert.equal(repo.log(head)[0], 'a fix by a person');
  } finally {
    await close();
  }
});

test('a pull request that a person closed holds this image, and not the next', async () => {
  const { forge, update, close } = await setup();
  try {
    await update('1.0', '1.1');
    const [one] = forge.requests;
    assert.ok(one);
    one.state = 'closed';
    const { held } = await update('1.0', '1.1');
    assert.deepEqual(held, [
      {
        image: 'web',
        reason:
          '1.1: https://forge.example.com/acme/shop/pulls/1 was closed without merging it: not requested again until there is a newer image',
      },
    ]);
    assert.equal((await update('1.0', '1.1', '1.2')).pullRequest, 'https://forge.example.com/acme/shop/pulls/2');
  } finally {
    await close();
  }
});

test('a forge that refuses is a problem of the Application, and the next update opens the pull request', async () => {
  const { forge, update, close } = await setup();
  try {
    forge.refuse(true);
    const { problems } = await update('1.0', '1.1');
    assert.match(String(problems[0]?.error.message), /returned 503: the forge is down$/u);
    forge.refuse(false);
    await update('1.0', '1.1');
    assert.deepEqual(
      forge.requests.map(({ state }) => state),
      ['open'],
    );
  } finally {
    await close();
  }
});
