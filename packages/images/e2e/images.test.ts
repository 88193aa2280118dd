/** New images reach applications: a real registry, a real Git server and the embedded cluster. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ImageUpdater, imageUpdaterKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { debianPart, freePort } from '@fairlead/source/testing';
import { pushBlob, pushImage, pushManifest } from '../src/demo-registry/push-image.ts';
import { webhookKinds } from '../src/webhook/kinds.ts';
import {
  eventType,
  helmFiles,
  kustomizeFiles,
  openUpdater,
  proxyBefore,
  type RealRegistry,
  realRegistry,
  registriesConf,
  scratch,
  secretType,
  until,
} from '../test/support/updater-setup.ts';

const program = debianPart('docker-registry', 'docker-registry');
const folder = scratch();
let open: RealRegistry;
let locked: RealRegistry;

const me = { authorization: `Basic ${Buffer.from('me:the-password').toString('base64')}` };
const push = (registry: { url: string }, repository: string, tag: string, headers = {}) =>
  pushImage(registry.url, { repository, tag, created: new Date() }, headers);

before(async () => {
  if (program.skip) return;
  open = await realRegistry(program.path, join(folder.path, 'open'));
  locked = await realRegistry(program.path, join(folder.path, 'locked'), { basic: true });
});
after(async () => {
  await open?.close();
  await locked?.close();
  folder.remove();
});

test('by polling: a tag is pushed, committed in three forms, synced, and live', { skip: program.skip }, async () => {
  const image = (name: string) => `${open.host}/${name}`;
  for (const name of ['kust', 'chart', 'direct']) await push(open, name, '1.0.0');
  const env = await openUpdater({
    ...kustomizeFiles('kust', image('kust'), '1.0.0'),
    ...helmFiles('chart', image('chart'), '1.0.0'),
    ...kustomizeFiles('direct', image('direct'), '1.0.0'),
  });
  try {
    await env.application('kust', {
      'image-list': `web=${image('kust')}:^1`,
      'write-back-method': 'git',
      'write-back-target': 'kustomization',
    });
    await env.application('chart', {
      'image-list': `web=${image('chart')}:~1`,
      'web.helm.image-name': 'image.repository',
      'web.helm.image-tag': 'image.tag',
      'write-back-method': 'git',
      'write-back-target': 'helmvalues:values.yaml',
    });
    await env.application('direct', { 'image-list': `web=${image('direct')}` });
    for (const name of ['kust', 'chart', 'direct']) await env.synced(name, `${image(name)}:1.0.0`);
    await env.updater({ registriesConf: registriesConf(open.host) });
    for (const name of ['kust', 'chart', 'direct']) await push(open, name, '1.20.0');
    for (const name of ['kust', 'chart', 'direct']) await env.synced(name, `${image(name)}:1.20.0`);
    assert.equal(
      env.place.show('kust/kustomization.yaml'),
      kustomizeFiles('kust', image('kust'), '1.20.0')['kust/kustomization.yaml'],
    );
    assert.equal(
      env.place.show('chart/values.yaml'),
      helmFiles('chart', image('chart'), '1.20.0')['chart/values.yaml'],
    );
    assert.deepEqual((await env.get('direct')).spec.source?.kustomize?.images, [`${image('direct')}:1.20.0`]);
    const events = await env.client.list<KubeObject & { reason?: string }>(eventType, { namespace: 'argocd' });
    assert.ok(events.items.some(({ reason }) => reason === 'ImagesUpdated'));
  } finally {
    await env.close();
  }
});

test('by webhook: the registry sends an event for a push, without polling', { skip: program.skip }, async () => {
  const env = await openUpdater(kustomizeFiles('hooked', '127.0.0.1:1/hooked', '1.0.0'));
  let notifying: RealRegistry | undefined;
  try {
    const kind = webhookKinds.find(({ type }) => type === 'distribution')!;
    const port = await freePort();
    notifying = await realRegistry(program.path, join(folder.path, 'notifying'), {
      notify: { url: `http://127.0.0.1:${port}`, secret: 'a-secret' },
    });
    await push(notifying, 'hooked', '1.0.0');
    const image = `${notifying.host}/hooked`;
    env.place.commit(kustomizeFiles('hooked', image, '1.0.0'));
    await env.application('hooked', {
      'image-list': `web=${image}:^1`,
      'write-back-method': 'git',
      'write-back-target': 'kustomization',
    });
    await env.synced('hooked', `${image}:1.0.0`);
    await env.updater({
      settings: { mode: 'cycle', intervalMs: 3_600_000 },
      registriesConf: registriesConf(notifying.host),
      webhooks: { host: '127.0.0.1', port, registered: [{ kind, secret: 'a-secret' }], perHour: 0 },
    });
    await push(notifying, 'hooked', '1.1.0');
    await env.synced('hooked', `${image}:1.1.0`);
    const forged = await fetch(`http://127.0.0.1:${port}/webhook?type=distribution`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(forged.status, 400);
  } finally {
    await env.close();
    await notifying?.close();
  }
});

test('a private registry is read with the pull secret in the namespace of the Application, and with no other', {
  skip: program.skip,
}, async () => {
  await push(locked, 'team/app', '1.0.0', me);
  await push(locked, 'team/app', '1.1.0', me);
  const image = `${locked.host}/team/app`;
  const env = await openUpdater({
    ...kustomizeFiles('mine', image, '1.0.0'),
    ...kustomizeFiles('thief', image, '1.0.0'),
    ...kustomizeFiles('stranger', image, '1.0.0'),
  });
  try {
    const auth = Buffer.from('me:the-password').toString('base64');
    const config = JSON.stringify({ auths: { [locked.host]: { auth } } });
    for (const namespace of ['argocd', 'default']) {
      const data = { '.dockerconfigjson': Buffer.from(config).toString('base64') };
      await env.client.create(secretType, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'pull', namespace },
        type: 'kubernetes.io/dockerconfigjson',
        data,
      } as unknown as KubeObject);
    }
    const method = {
      'image-list': `web=${image}:^1`,
      'write-back-method': 'git',
      'write-back-target': 'kustomization',
    };
    await env.application('mine', { ...method, 'web.pull-secret': 'pullsecret:argocd/pull' });
    await env.application('thief', { ...method, 'web.pull-secret': 'PullSecret:default/pull' });
    await env.application('stranger', method);
    await env.updater({ registriesConf: registriesConf(locked.host) });
    await env.synced('mine', `${image}:1.1.0`);
    await until(
      async () =>
        (await env.conditions('thief')).some((text) =>
          /ImageUpdateError.*not in the Application's namespace/u.test(text),
        ),
      () => env.conditions('thief'),
    );
    await until(
      async () => (await env.conditions('stranger')).some((text) => /ImageUpdateError.*credentials/u.test(text)),
      () => env.conditions('stranger'),
    );
    assert.deepEqual(await env.images('thief'), [`${image}:1.0.0`]);
  } finally {
    await env.close();
  }
});

test('requests to a registry that paginates, fails and rate-limits are retried, and a partial tag list is never used', {
  skip: program.skip,
}, async () => {
  for (const tag of ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0']) await push(open, 'paged', tag);
  let broken = true;
  const proxy = await proxyBefore(
    open.url,
    (path, count) => {
      if (!path.includes('/tags/list')) return undefined;
      if (count % 2 === 1) return { status: 429, headers: { 'retry-after': '0' } };
      // The last page fails, after five of six tags.
      if (broken && path.includes('last=1.3.0')) return { status: 500 };
      return undefined;
    },
    true,
  );
  const image = `${proxy.host}/paged`;
  const env = await openUpdater(kustomizeFiles('paged', image, '1.0.0'));
  try {
    await env.application('paged', {
      'image-list': `web=${image}:^1`,
      'write-back-method': 'git',
      'write-back-target': 'kustomization',
    });
    await env.synced('paged', `${image}:1.0.0`);
    await env.updater({ registriesConf: registriesConf(proxy.host) });
    await until(
      async () => (await env.conditions('paged')).some((text) => /ImageUpdateError.*answered 500/u.test(text)),
      () => env.conditions('paged'),
    );
    assert.deepEqual(env.place.log(), ['first'], 'a partial list is not used');
    broken = false;
    await env.synced('paged', `${image}:1.5.0`);
    assert.deepEqual(env.place.log(), ['build: automatic update of paged', 'first']);
    await until(
      async () => !(await env.conditions('paged')).some((text) => /ImageUpdateError/u.test(text)),
      () => env.conditions('paged'),
    );
  } finally {
    await env.close();
    await proxy.close();
  }
});

test('a concurrent push by someone else: both changes are kept', {
  skip: program.skip,
}, async () => {
  await push(open, 'raced', '1.0.0');
  const image = `${open.host}/raced`;
  let raced = false;
  const env: Awaited<ReturnType<typeof openUpdater>> = await openUpdater(kustomizeFiles('raced', image, '1.0.0'), {
    intercept(request) {
      if (!raced && request.method === 'POST' && request.url?.endsWith('git-receive-pack')) {
        raced = true;
        env.place.commit({ 'theirs.txt': 'theirs' }, 'theirs');
      }
      return false;
    },
  });
  try {
    await env.application('raced', {
      'image-list': `web=${image}:^1`,
      'write-back-method': 'git',
      'write-back-target': 'kustomization',
    });
    await env.synced('raced', `${image}:1.0.0`);
    await push(open, 'raced', '1.1.0');
    await env.updater({ registriesConf: registriesConf(open.host) });
    await env.synced('raced', `${image}:1.1.0`);
    assert.deepEqual(env.place.log(), ['build: automatic update of raced', 'theirs', 'first']);
  } finally {
    await env.close();
  }
});

test('a change reverted in Git is not repeated, and the application reports it', { skip: program.skip }, async () => {
  await push(open, 'back', '1.0.0');
  const image = `${open.host}/back`;
  const env = await openUpdater(kustomizeFiles('back', image, '1.0.0'));
  try {
    await env.application('back', {
      'image-list': `web=${image}:^1`,
      'write-back-method': 'git',
      'write-back-target': 'kustomization',
    });
    await env.synced('back', `${image}:1.0.0`);
    await env.updater({ registriesConf: registriesConf(open.host) });
    await push(open, 'back', '1.1.0');
    await env.synced('back', `${image}:1.1.0`);
    env.place.commit(kustomizeFiles('back', image, '1.0.0'), 'Revert');
    await env.synced('back', `${image}:1.0.0`);
    await until(
      async () => (await env.conditions('back')).some((text) => /ImageHeld.*1\.1\.0.*reverted by Ada/u.test(text)),
      () => env.conditions('back'),
    );
    await push(open, 'back', '1.1.1');
    await env.synced('back', `${image}:1.1.1`);
  } finally {
    await env.close();
  }
});

test('an ImageUpdater resource selects, updates and reports; an invalid one reports its problem', {
  skip: program.skip,
}, async () => {
  await push(open, 'ruled', '1.0.0');
  const image = `${open.host}/ruled`;
  const env = await openUpdater({
    ...kustomizeFiles('ruled-a', image, '1.0.0'),
    ...kustomizeFiles('ruled-b', image, '1.0.0'),
  });
  try {
    for (const name of ['ruled-a', 'ruled-b']) await env.application(name, {});
    for (const name of ['ruled-a', 'ruled-b']) await env.synced(name, `${image}:1.0.0`);
    const resource = (name: string, namePattern: string) => ({
      apiVersion: 'argocd-image-updater.argoproj.io/v1alpha1',
      kind: 'ImageUpdater',
      metadata: { name, namespace: 'argocd' },
      spec: {
        writeBackConfig: { method: 'git', gitConfig: { writeBackTarget: 'kustomization' } },
        applicationRefs: [{ namePattern, images: [{ alias: 'web', imageName: `${image}:^1` }] }],
      },
    });
    await env.client.create(imageUpdaterKind.type, resource('good', 'ruled-*') as unknown as KubeObject);
    await env.client.create(imageUpdaterKind.type, resource('broken', 'ruled-[') as unknown as KubeObject);
    await push(open, 'ruled', '1.1.0');
    await env.updater({ registriesConf: registriesConf(open.host) });
    for (const name of ['ruled-a', 'ruled-b']) await env.synced(name, `${image}:1.1.0`);
    const status = async (name: string) =>
      (await env.client.get<ImageUpdater>(imageUpdaterKind.type, { namespace: 'argocd', name })).status;
    const good = await until(
      async () => {
        const found = await status('good');
        return found?.recentUpdates?.length ? found : undefined;
      },
      () => status('good'),
    );
    assert.equal(good.applicationsMatched, 2);
    assert.equal(good.imagesManaged, 2);
    assert.equal(good.recentUpdates?.[0]?.newVersion, '1.1.0');
    assert.equal(good.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
    const broken = await until(
      async () => ((await status('broken'))?.conditions ? await status('broken') : undefined),
      () => status('broken'),
    );
    assert.match(
      broken.conditions?.find(({ type }) => type === 'Error')?.message ?? '',
      /ruled-\[.*not a valid pattern/u,
    );
  } finally {
    await env.close();
  }
});

test('one of two replicas works; when it stops, the other continues', { skip: program.skip }, async () => {
  await push(open, 'led', '1.0.0');
  const image = `${open.host}/led`;
  const env = await openUpdater(kustomizeFiles('led', image, '1.0.0'));
  try {
    await env.application('led', {
      'image-list': `web=${image}:^1`,
      'write-back-method': 'git',
      'write-back-target': 'kustomization',
    });
    await env.synced('led', `${image}:1.0.0`);
    const status = { host: '127.0.0.1', port: 0 };
    const copies: Awaited<ReturnType<typeof env.updater>>[] = [];
    for (let i = 0; i < 2; i++)
      copies.push(await env.updater({ registriesConf: registriesConf(open.host), leaderElection: true, status }));
    await push(open, 'led', '1.1.0');
    await env.synced('led', `${image}:1.1.0`);
    const works = async ({ statusPort }: (typeof copies)[0]): Promise<boolean> =>
      (await (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text()).includes(
        'application_last_attempt_timestamp{application="led"',
      );
    const working = await Promise.all(copies.map(works));
    assert.deepEqual(working.toSorted(), [false, true]);
    await copies[working.indexOf(true)]!.close();
    await push(open, 'led', '1.2.0');
    await env.synced('led', `${image}:1.2.0`);
    assert.equal(env.place.log().length, 3);
  } finally {
    await env.close();
  }
});

test('only signed images are written, by the digest that was verified', { skip: program.skip }, async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const sign = async (repository: string, digest: string): Promise<void> => {
    const payload = Buffer.from(JSON.stringify({ critical: { image: { 'docker-manifest-digest': digest } } }));
    const signature = createSign('sha256').update(payload).sign(privateKey, 'base64');
    const layer = {
      mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
      ...(await pushBlob(open.url, repository, payload)),
      annotations: { 'dev.cosignproject.cosign/signature': signature },
    };
    const config = {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      ...(await pushBlob(open.url, repository, Buffer.from('{}'))),
    };
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    await pushManifest(
      open.url,
      repository,
      `${digest.replace(':', '-')}.sig`,
      Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config, layers: [layer] })),
      mediaType,
    );
  };
  await push(open, 'sealed', '1.0.0');
  const image = `${open.host}/sealed`;
  const env = await openUpdater(kustomizeFiles('sealed', image, '1.0.0'));
  try {
    const data = { 'cosign.pub': Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64') };
    await env.client.create(secretType, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cosign', namespace: 'argocd' },
      data,
    } as unknown as KubeObject);
    await env.application('sealed', {});
    await env.synced('sealed', `${image}:1.0.0`);
    await env.client.create(imageUpdaterKind.type, {
      apiVersion: 'argocd-image-updater.argoproj.io/v1alpha1',
      kind: 'ImageUpdater',
      metadata: { name: 'sealed', namespace: 'argocd' },
      spec: {
        writeBackConfig: { method: 'git', gitConfig: { writeBackTarget: 'kustomization' } },
        imagesVerification: { cosignKey: { secretName: 'cosign', key: 'cosign.pub' } },
        applicationRefs: [{ namePattern: 'sealed', images: [{ alias: 'web', imageName: `${image}:^1` }] }],
      },
    } as unknown as KubeObject);
    await env.updater({ registriesConf: registriesConf(open.host) });
    const digest = await push(open, 'sealed', '1.1.0');
    await until(
      async () => (await env.conditions('sealed')).some((text) => /ImageUpdateError.*has no signature/u.test(text)),
      () => env.conditions('sealed'),
    );
    assert.deepEqual(env.place.log(), ['first']);
    await sign('sealed', digest);
    await until(
      async () => (await env.live('sealed'))?.endsWith(`@${digest}`),
      async () => ({ live: await env.live('sealed'), conditions: await env.conditions('sealed') }),
    );
    assert.match(
      env.place.show('sealed/kustomization.yaml'),
      new RegExp(`newTag: 1\\.1\\.0\n\\s+digest: ${digest}`, 'u'),
    );
  } finally {
    await env.close();
  }
});

const prometheus = debianPart('prometheus', 'prometheus');

test('a real Prometheus scrapes the metrics without errors', { skip: program.skip || prometheus.skip }, async () => {
  await push(open, 'seen', '1.0.0');
  const image = `${open.host}/seen`;
  const env = await openUpdater(kustomizeFiles('seen', image, '1.0.0'));
  const port = await freePort();
  let child: ReturnType<typeof spawn> | undefined;
  try {
    await env.application('seen', { 'image-list': `web=${image}:^1` });
    await env.synced('seen', `${image}:1.0.0`);
    const role = await env.updater({
      registriesConf: registriesConf(open.host),
      status: { host: '127.0.0.1', port: 0 },
    });
    await until(
      async () => (await (await fetch(`http://127.0.0.1:${role.statusPort}/readyz`)).text()).includes('ok\n'),
      () => 'ready',
    );
    const config = join(env.folder.path, 'prometheus.yml');
    writeFileSync(
      config,
      `scrape_configs:\n- job_name: images\n  scrape_interval: 1s\n  static_configs:\n  - targets: ['127.0.0.1:${role.statusPort}']\n`,
    );
    child = spawn(
      prometheus.path,
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(env.folder.path, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    const ask = async (
      path: string,
    ): Promise<{
      data?: {
        activeTargets?: { health: string; lastError: string }[];
        result?: { metric: Record<string, string>; value: [number, string] }[];
      };
    }> =>
      fetch(`http://127.0.0.1:${port}/api/v1/${path}`).then(
        // Before Prometheus is ready, its response is not JSON.
        (answer) => (answer.ok ? (answer.json() as never) : {}),
        () => ({}),
      );
    const target = await until(
      async () => (await ask('targets')).data?.activeTargets?.find(({ health }) => health !== 'unknown'),
      () => ask('targets'),
    );
    assert.deepEqual([target.health, target.lastError], ['up', '']);
    const query = `query?query=${encodeURIComponent('argocd_image_updater_images_watched_total{application="seen"}')}`;
    const [series] = await until(
      async () => {
        const found = (await ask(query)).data?.result ?? [];
        return found.length > 0 ? found : undefined;
      },
      () => ask(query),
    );
    assert.equal(series?.value[1], '1');
    const lint = await ask(
      `query?query=${encodeURIComponent('count({__name__=~"argocd_image_updater_registry_.*"})')}`,
    );
    assert.ok(Number(lint.data?.result?.[0]?.value[1]) > 3);
  } finally {
    child?.kill();
    await env.close();
  }
});
