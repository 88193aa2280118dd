import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ImageConfig } from '@fairlead/api';
import { imageRule } from '../config/image-rule.ts';
import type { WriteBack } from '../config/write-back.ts';
import { ImagesError } from '../images-error.ts';
import { selectionRule } from '../registry/image-registries.ts';
import { selectTag } from '../tags/select-tag.ts';
import { decideUpdate, type UpdateQueries } from './decide-update.ts';

const application = (images: string[], kustomize: string[] = []): Application =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: { project: 'default', destination: {}, source: { repoURL: 'x', kustomize: { images: kustomize } } },
    status: { sourceType: 'Kustomize', summary: { images } },
  }) as unknown as Application;

const writeBack: WriteBack = {
  method: 'argocd',
  target: '',
  kustomizeBase: '',
  repository: '',
  branch: '',
  writeBranch: '',
  credentials: { kind: 'repocreds' },
  pullRequest: undefined,
};

const queries = (tags: { name: string; digest?: string }[], more: Partial<UpdateQueries> = {}): UpdateQueries => ({
  async select(rule) {
    return { selection: selectTag(tags, selectionRule(rule)), image: undefined as never };
  },
  verify: () => assert.fail('no verification is configured'),
  ...more,
});

async function decide(
  running: string[],
  config: Partial<ImageConfig> & { imageName: string },
  tags: string[],
  more: Partial<UpdateQueries> = {},
  spec: string[] = [],
) {
  const rule = imageRule({ alias: 'web', ...config });
  const decision = await decideUpdate(
    { application: application(running, spec), rules: [rule], writeBack, problems: [] },
    queries(
      tags.map((name) => ({ name })),
      more,
    ),
  );
  return { ...decision, note: decision.notes[0]?.note ?? '', to: decision.changes[0]?.image.tag };
}

test('an image is never downgraded', async () => {
  for (const [running, constraint] of [
    ['example.com/web:2.0.0', ''],
    ['example.com/web:2.0.0', ':^1'],
    ['example.com/web:2.0.0-rc.1', ''],
  ] as const) {
    const { changes, note } = await decide([running], { imageName: `example.com/web${constraint}` }, [
      '1.0.0',
      '1.9.0',
    ]);
    assert.equal(changes.length, 0, running);
    assert.match(note, /newer than 1\.9\.0: it is kept/u);
  }
  assert.equal(
    (await decide(['example.com/web:latest'], { imageName: 'example.com/web' }, ['1.0.0'])).to,
    '1.0.0',
    'a tag that is not a version cannot be newer',
  );
});

test('another spelling of the registry is the same image', async () => {
  assert.equal((await decide(['docker.io/library/nginx:1.0.0'], { imageName: 'nginx:^1' }, ['1.1.0'])).to, '1.1.0');
  assert.equal((await decide(['nginx:1.0.0'], { imageName: 'docker.io/library/nginx:^1' }, ['1.1.0'])).to, '1.1.0');
});

test('a tag that is set but not yet live is not set again', async () => {
  const { changes, note } = await decide(
    ['example.com/web:1.0.0'],
    { imageName: 'example.com/web:^1' },
    ['1.1.0'],
    {},
    ['example.com/web:1.1.0'],
  );
  assert.equal(changes.length, 0);
  assert.match(note, /is set, and not live yet/u);
});

test('with verification, the verified digest is written', async () => {
  const verified = {
    imageName: 'example.com/web:^1',
    imagesVerification: { cosignKey: { secretName: 's', key: 'k' } },
  };
  const digest = `sha256:${'1'.repeat(64)}`;
  const { changes } = await decide(['example.com/web:1.0.0'], verified, ['1.1.0'], { verify: async () => digest });
  assert.deepEqual([changes[0]?.image.tag, changes[0]?.image.digest], ['1.1.0', digest]);
  const same = await decide([`example.com/web:1.1.0@${digest}`], verified, ['1.1.0'], { verify: async () => digest });
  assert.equal(same.changes.length, 0);
  const unsigned = await decide(['example.com/web:1.0.0'], verified, ['1.1.0'], {
    async verify() {
      throw new ImagesError('NotVerified', 'it has no signature');
    },
  });
  assert.equal(unsigned.changes.length, 0);
  assert.equal(unsigned.problems[0]?.error.reason, 'NotVerified');
  assert.throws(() => imageRule({ alias: 'web', imageName: 'x', imagesVerification: {} }), {
    reason: 'InvalidSettings',
  });
});

test('the failure of one image does not affect others', async () => {
  const rules = [
    imageRule({ alias: 'a', imageName: 'example.com/a:nonsense' }),
    imageRule({ alias: 'b', imageName: 'example.com/b:^1' }),
  ];
  const decision = await decideUpdate(
    { application: application(['example.com/a:1', 'example.com/b:1.0.0']), rules, writeBack, problems: [] },
    queries([{ name: '1.1.0' }]),
  );
  assert.deepEqual(
    decision.problems.map(({ image, error }) => `${image} ${error.reason}`),
    ['a InvalidConstraint'],
  );
  assert.deepEqual(
    decision.changes.map(({ alias }) => alias),
    ['b'],
  );
});
