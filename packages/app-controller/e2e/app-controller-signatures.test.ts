/** Projects that require signed commits: real commits, signed by real keys. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Application, appProjectKind } from '@fairlead/api';
import { systemClock } from '@fairlead/kube';
import { createGpg, createSources, type Gpg, type Sources } from '@fairlead/source';
import { debianPart } from '@fairlead/source/testing';
import { createSignatures } from '../src/source/signatures.ts';
import { configMap } from '../test/support/objects.ts';
import { openSuite, type Suite, types } from '../test/support/suite.ts';

const part = debianPart('gpg', 'gnupg');
const skip = { skip: part.skip };
const dir = mkdtempSync(join(tmpdir(), 'fairlead-signed-'));
const home = join(dir, 'home');
const work = join(dir, 'work');
let suite: Suite;
let sources: Sources;
let gpg: Gpg;
let known: string[] = [];
let keysChanged = (): void => {};

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { env: { ...process.env, GNUPGHOME: home }, stdio: 'pipe' })
    .toString()
    .trim();
const git = (...args: string[]): string =>
  run('git', '-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args);
function makeKey(name: string): { id: string; armored: string } {
  const quiet = ['--batch', '--no-tty', '--pinentry-mode', 'loopback', '--passphrase', ''];
  run(part.path, ...quiet, '--quick-generate-key', name, 'ed25519', 'sign', 'never');
  const id = /^fpr:+([0-9A-F]+):/mu.exec(run(part.path, '--with-colons', '--fingerprint', name))![1]!;
  return { id, armored: run(part.path, '--armor', '--export', id) };
}
function commit(n: string, ...how: string[]): void {
  writeFileSync(join(work, 'a.json'), JSON.stringify(configMap('a', {}, { n })));
  git('add', '-A');
  git('commit', '-qm', n, ...how);
}

before(async () => {
  if (part.skip) return;
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(work);
  git('init', '-q', '--initial-branch=main');
  const environment = process.env;
  sources = createSources({
    cacheDir: join(dir, 'cache'),
    clock: systemClock,
    environment,
    pollMs: 500,
    allowLocal: true,
  });
  gpg = createGpg({ dir: join(dir, 'gnupg'), environment, program: part.path });
  const keys = {
    list: () => known,
    onChange(listener: () => void) {
      keysChanged = listener;
      return () => {};
    },
  };
  suite = await openSuite({ sources, signatures: createSignatures(gpg, keys, systemClock) });
});
after(async () => {
  await suite?.close();
  sources?.close();
  await gpg?.close();
  if (!part.skip) execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'], { stdio: 'ignore' });
  rmSync(dir, { recursive: true, force: true });
});

const saysOf =
  (type: string, message: RegExp) =>
  ({ status }: Application): boolean =>
    Boolean(status?.conditions?.some((one) => one.type === type && message.test(one.message)));

test(
  'signed commits: only commits signed by a key of the project are deployed, and the condition names what is missing',
  skip,
  async () => {
    const [ann, eve] = [makeKey('ann@example.com'), makeKey('eve@example.com')];
    commit('1');
    await suite.client.create(appProjectKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'signed', namespace: suite.namespace },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
        signatureKeys: [{ keyID: ann.id.slice(-16) }],
      },
    } as never);
    const app = await suite.create(
      'signed',
      {},
      {
        spec: {
          project: 'signed',
          source: { repoURL: work, path: '.', targetRevision: 'main' },
          syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
        },
      },
    );
    await app.reaches(
      'refused',
      saysOf('ComparisonError', /is not signed, and project 'signed' requires a signature by one/),
    );
    assert.equal((await app.sync()).phase, 'Error', 'a person does not get past it either');
    assert.equal(await app.find(types.ConfigMap, 'a'), undefined);

    commit('2', `-S${ann.id}`);
    await app.reaches('its key is not known', saysOf('ComparisonError', /unknown key.* argocd-gpg-keys-cm/));
    known = [ann.armored, eve.armored];
    keysChanged();
    await app.reaches('synced', ({ status }) => status?.sync?.status === 'Synced');
    assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], '2');

    commit('3', `-S${eve.id}`);
    await app.reaches('an unknown key', saysOf('ComparisonError', /has a good signature by [0-9A-F]{16}, and project/));
    assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], '2');

    git('tag', '-u', ann.id, '-m', 'Release', 'v1.0.0');
    await app.patch({ spec: { source: { targetRevision: 'v1.0.0' } } });
    await app.reaches('the tag is signed', ({ status }) => status?.sync?.status === 'Synced');
    assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], '3');

    const local = await app.sync({ manifests: [JSON.stringify(configMap('a', {}, { n: 'local' }))] });
    assert.match(local.message!, /^ComparisonError: Cannot use local manifests when source integrity is enforced/);
    assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], '3');
  },
);
