import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { imageRule } from '../config/image-rule.ts';
import { inferEndpoint, RegistryEndpoints } from '../config/registry-endpoints.ts';
import type { Login } from '../credentials/docker-config.ts';
import { ImagesError } from '../images-error.ts';
import { ImageRegistries } from './image-registries.ts';
import type { RegistryClient } from './registry-client.ts';
import { TagIndex } from './tag-index.ts';

const notUsed = () => Promise.reject(new ImagesError('ImageNotFound', 'not requested'));
const client = (tags: RegistryClient['tags'], more: Partial<RegistryClient> = {}): RegistryClient => ({
  tags,
  digest: notUsed,
  manifest: notUsed,
  blob: notUsed,
  ...more,
});

test('concurrent requests share one call, and all get the whole response', async () => {
  const clock = new VirtualClock();
  let asked = 0;
  const counts = { leader: 0, follower: 0 };
  const index = new TagIndex('web', clock, { leader: () => counts.leader++, follower: () => counts.follower++ });
  const slow = client(async () => {
    asked++;
    await new Promise((resolve) => clock.after(100, () => resolve(undefined)));
    return { tags: ['1.0', '1.1'], etag: undefined };
  });
  const waiting = Array.from({ length: 5 }, () => index.tags(slow, { notBefore: clock.now() }));
  await clock.advance(200);
  for (const answer of await Promise.all(waiting)) assert.deepEqual(answer, ['1.0', '1.1']);
  assert.equal(asked, 1);
  assert.deepEqual(counts, { leader: 1, follower: 4 });
});

test('a failure is shared too, but not with the next round', async () => {
  const clock = new VirtualClock();
  let fails = true;
  const index = new TagIndex('web', clock);
  const flaky = client(async () => {
    if (fails) throw new ImagesError('RegistryUnavailable', 'half of the pages came');
    return { tags: ['1.0'], etag: undefined };
  });
  const round = clock.now();
  await assert.rejects(index.tags(flaky, { notBefore: round }), /half of the pages/u);
  fails = false;
  await assert.rejects(
    index.tags(flaky, { notBefore: round }),
    /half of the pages/u,
    'the registry is not queried again within a round',
  );
  await clock.advance(1_000);
  assert.deepEqual(await index.tags(flaky, { notBefore: clock.now() }), ['1.0']);
});

test('an unchanged list is not sent again, and remains the same object', async () => {
  const clock = new VirtualClock();
  const etags: (string | undefined)[] = [];
  const index = new TagIndex('web', clock);
  const conditional = client(async (_repository, etag) => {
    etags.push(etag);
    return etag === '"1"' ? 'unchanged' : { tags: ['1.0'], etag: '"1"' };
  });
  const first = await index.tags(conditional, { notBefore: clock.now() });
  await clock.advance(1_000);
  const second = await index.tags(conditional, { notBefore: clock.now() });
  assert.equal(first, second);
  assert.deepEqual(etags, [undefined, '"1"']);
});

test('a pushed tag is requested again, also within a round', async () => {
  const clock = new VirtualClock();
  let asked = 0;
  const index = new TagIndex('web', clock);
  const counted = client(async () => ({ tags: [`1.${asked++}`], etag: undefined }));
  await index.tags(counted, { notBefore: 0 });
  index.invalidate();
  await clock.advance(1);
  assert.deepEqual(await index.tags(counted, { notBefore: 0 }), ['1.1']);
});

function registries(
  open: (login: Login | undefined) => RegistryClient,
  secrets: Record<string, string> = {},
  clock = new VirtualClock(),
) {
  return new ImageRegistries({
    endpoints: new RegistryEndpoints([{ ...inferEndpoint('example.com'), isDefault: true }]),
    credentials: {
      secret: async (namespace, name) =>
        secrets[`${namespace}/${name}`] === undefined ? undefined : { creds: secrets[`${namespace}/${name}`]! },
      environment: { OPERATORS: 'root:hidden' },
      runScript: async () => 'root:hidden',
    },
    policy: { allowProcessSources: false },
    clock,
    open: (_endpoint, login) => open(login),
  });
}

const rule = (pullSecret?: string, updateStrategy = 'semver', imageName = 'example.com/web') =>
  imageRule({
    alias: 'web',
    imageName,
    commonUpdateSettings: { updateStrategy, ...(pullSecret ? { pullSecret } : {}) },
  });

test('neither the login nor the cached tags of one tenant are used for another', async () => {
  const logins: string[] = [];
  const shared = registries(
    (login) =>
      client(async () => {
        logins.push(login?.username ?? 'nobody');
        return { tags: [login?.username === 'ada' ? '9.0.0' : '1.0.0'], etag: undefined };
      }),
    { 'a/s': 'ada:1', 'b/s': 'bob:2' },
  );
  const [ada, bob, nobody] = await Promise.all([
    shared.select(rule('secret:a/s#creds'), 'a', { notBefore: 0 }),
    shared.select(rule('secret:b/s#creds'), 'b', { notBefore: 0 }),
    shared.select(rule(), 'c', { notBefore: 0 }),
  ]);
  assert.deepEqual(
    [ada, bob, nobody].map(({ selection }) => selection.chosen?.name),
    ['9.0.0', '1.0.0', '1.0.0'],
  );
  assert.deepEqual(logins.sort(), ['ada', 'bob', 'nobody']);
});

test('Secrets of other namespaces, environment variables and scripts cannot be used as credentials', async () => {
  const shared = registries(() => client(async () => ({ tags: [], etag: undefined })), { 'other/s': 'x:y' });
  for (const reference of [
    'secret:other/s#creds',
    'SECRET:other/s#creds',
    'x=secret:other/s#creds',
    'PullSecret:other/s',
    'env:OPERATORS',
    'ENV:OPERATORS',
    'ext:/bin/true',
    'example.com=ext:/bin/true',
  ]) {
    await assert.rejects(
      shared.select(rule(reference), 'mine', { notBefore: 0 }),
      { reason: 'CredentialsForbidden' },
      reference,
    );
  }
});

test('a digest costs one request per tag', async () => {
  const asked: string[] = [];
  const digests = registries(() =>
    client(() => assert.fail('the list is not needed'), {
      async digest(_repository, tag) {
        asked.push(tag);
        return 'sha256:1';
      },
    }),
  );
  const [a, b] = await Promise.all(
    [1, 2].map(() => digests.select(rule(undefined, 'digest', 'example.com/web:stable'), 'n', { notBefore: 0 })),
  );
  assert.deepEqual([a!.selection.chosen?.digest, b!.selection.chosen?.digest], ['sha256:1', 'sha256:1']);
  assert.deepEqual(asked, ['stable']);
});

test('newest-build: a tag that is pushed again is detected, and one that is deleted during the read is ignored', async () => {
  const clock = new VirtualClock();
  const built: Record<string, { digest: string; created: string }> = {
    old: { digest: 'sha256:a', created: '2030-01-01T00:00:00Z' },
    new: { digest: 'sha256:b', created: '2030-01-02T00:00:00Z' },
  };
  const gone = new Set<string>();
  let manifests = 0;
  const shared = registries(
    () =>
      client(async () => ({ tags: ['old', 'new', 'gone'], etag: undefined }), {
        async digest(_repository, tag) {
          if (tag === 'gone' || gone.has(tag)) throw new ImagesError('ImageNotFound', 'deleted since the list');
          return built[tag]!.digest;
        },
        async manifest(_repository, digest) {
          manifests++;
          return {
            kind: 'image',
            digest,
            mediaType: '',
            bytes: new Uint8Array(),
            image: { config: { digest, mediaType: '', size: 1 }, layers: [] },
          };
        },
        async blob(_repository, digest) {
          const { created } = Object.values(built).find((one) => one.digest === digest)!;
          return Buffer.from(JSON.stringify({ os: 'linux', architecture: 'amd64', created }));
        },
      }),
    {},
    clock,
  );
  const newest = async () =>
    (await shared.select(rule(undefined, 'newest-build'), 'n', { notBefore: clock.now() })).selection.chosen?.name;
  assert.equal(await newest(), 'new');
  await clock.advance(1_000);
  assert.equal(await newest(), 'new');
  assert.equal(manifests, 2, 'the content of a digest is read once');
  built['old'] = { digest: 'sha256:c', created: '2030-01-03T00:00:00Z' };
  await clock.advance(1_000);
  assert.equal(await newest(), 'old');
});

test('rejected credentials that have not expired are read again, once', async () => {
  const clock = new VirtualClock();
  let password = 'stale';
  let asked = 0;
  const shared = new ImageRegistries({
    endpoints: new RegistryEndpoints([
      { ...inferEndpoint('example.com'), credentials: 'env:LOGIN', credsExpireMs: 60_000, isDefault: true },
    ]),
    credentials: {
      secret: undefined,
      environment: {
        get LOGIN() {
          return `me:${password}`;
        },
      },
      runScript: async () => '',
    },
    policy: { allowProcessSources: false },
    clock,
    open: (_endpoint, login) =>
      client(async () => {
        asked++;
        if (login?.password !== 'fresh') throw new ImagesError('RegistryRefused', 'who are you');
        return { tags: ['1.0.0'], etag: undefined };
      }),
  });
  await assert.rejects(shared.select(rule(), 'n', { notBefore: 0 }), { reason: 'RegistryRefused' });
  password = 'fresh';
  await clock.advance(1_000);
  assert.equal((await shared.select(rule(), 'n', { notBefore: clock.now() })).selection.chosen?.name, '1.0.0');
  assert.ok(asked <= 4);
});
