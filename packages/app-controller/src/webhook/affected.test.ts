import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ApplicationSource } from '@fairlead/api';
import { affectedRepositories, locationOf } from './affected.ts';
import type { Push } from './push.ts';

const push: Push = {
  urls: ['https://github.com/Team/shop'],
  ref: 'refs/heads/main',
  touchedHead: true,
  files: ['apps/web/deployment.yaml'],
};
const application = (source: Partial<ApplicationSource>, paths?: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'a', ...(paths ? { annotations: { 'argocd.argoproj.io/manifest-generate-paths': paths } } : {}) },
  spec: {
    project: 'default',
    source: { repoURL: 'https://github.com/team/shop.git', path: 'apps/web', ...source },
    destination: {},
  },
});

const same = [
  'https://github.com/team/shop',
  'https://GitHub.com/team/shop.git/',
  'https://user@github.com:443/team/shop.git',
  'git@github.com:team/shop.git',
  'ssh://git@ssh.github.com:443/team/shop.git',
];
for (const url of same) {
  test(`${url} matches the repository of the push`, () => {
    assert.equal(affectedRepositories(application({ repoURL: url }), push).length, 1);
  });
}
test('the SSH and HTTPS URLs of Azure DevOps are equal', () => {
  assert.equal(
    locationOf('git@ssh.dev.azure.com:v3/org/p/shop'),
    locationOf('https://org@dev.azure.com/org/p/_git/shop'),
  );
});

const cases: [title: string, application: Application, push: Partial<Push>, affected: boolean][] = [
  ['another repository', application({ repoURL: 'https://github.com/team/other' }), {}, false],
  ['another host', application({ repoURL: 'https://gitlab.com/team/shop' }), {}, false],
  ['a name with a common prefix', application({ repoURL: 'https://github.com/team/shop2' }), {}, false],
  ['a chart', application({ chart: 'shop' }), {}, false],
  ['HEAD, and the default branch was pushed', application({ targetRevision: 'HEAD' }), {}, true],
  ['HEAD, and another branch was pushed', application({}), { touchedHead: false }, false],
  ['the branch itself', application({ targetRevision: 'main' }), { touchedHead: false }, true],
  ['the branch in full', application({ targetRevision: 'refs/heads/main' }), {}, true],
  ['another branch', application({ targetRevision: 'prod' }), {}, false],
  ['a range, and a tag', application({ targetRevision: '1.*' }), { ref: 'refs/tags/1.2.3' }, true],
  ['a range, and a branch', application({ targetRevision: '1.*' }), {}, false],
  ['its own path', application({}, '.'), {}, true],
  ['a path beside', application({}, '../api'), {}, false],
  ['a path from the top', application({}, '/apps/web'), {}, true],
  ['one of several paths', application({}, '../api; /shared ;.'), {}, true],
  ['a pattern', application({}, '/apps/*/deployment.yaml'), {}, true],
  ['a path with a common prefix', application({ path: 'apps/we' }, '.'), {}, false],
  ['paths, and the host does not send the files', application({}, '/x'), { files: undefined as never }, true],
];
for (const [title, app, change, affected] of cases) {
  test(`${title}: ${affected ? 'affected' : 'not affected'}`, () => {
    assert.equal(affectedRepositories(app, { ...push, ...change }).length > 0, affected);
  });
}

test('each of several sources is checked', () => {
  const app = application({});
  const sources = [{ repoURL: 'https://example.com/other', path: '.' }, app.spec.source!];
  const many: Application = { ...app, spec: { ...app.spec, sources } };
  assert.deepEqual(affectedRepositories(many, push), ['https://github.com/team/shop.git']);
});
