/** Various invalid registries, rules and repositories at once: each application reports its error, and the valid one is updated. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { freePort, listen, makeCertificates, openssl } from '@fairlead/source/testing';
import { eventType, kustomizeFiles, openUpdater, scratch, until } from '../test/support/updater-setup.ts';

const json = (value: unknown): string => JSON.stringify(value);

/** A registry with a fault for each repository. */
async function faultyRegistry() {
  const asked = new Map<string, number>();
  const server = await listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const [, name = '', rest = ''] = /^\/v2\/([^/]+)\/(.*)$/u.exec(url.pathname) ?? [];
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const answer = (status: number, body = '', headers: Record<string, string> = {}): void =>
      void response.writeHead(status, headers).end(body);
    const page = Number(url.searchParams.get('last') ?? 0);
    switch (name) {
      case 'refused':
        return answer(401, '', { 'www-authenticate': 'Basic realm="r"' });
      case 'forbidden':
        return answer(403);
      case 'missing':
        return answer(404, json({ errors: [{ code: 'NAME_UNKNOWN' }] }));
      case 'patient':
        return answer(429, '', { 'retry-after': '3600' });
      case 'garbled':
        return answer(200, '{"tags": ["1.0.0", "1.1.');
      case 'notlist':
        return answer(200, json({ tags: 'all of them' }));
      case 'endless':
        return answer(200, json({ tags: [] }), { link: `</v2/endless/tags/list?last=${page + 1}>; rel="next"` });
      case 'circle':
        return answer(200, json({ tags: ['9.9.9'] }), { link: `</v2/circle/tags/list?n=1000>; rel="next"` });
      case 'huge':
        return answer(
          200,
          json({ tags: Array.from({ length: 20_000 }, (_, i) => `1.${page}.${i}`) }),
          page < 9 ? { link: `</v2/huge/tags/list?last=${page + 1}>; rel="next"` } : {},
        );
      case 'vanishing':
        // The newest tag is deleted between the list and the read of its manifest.
        if (rest.startsWith('tags')) return answer(200, json({ tags: ['a', 'b'] }));
        return answer(404);
      case 'good':
      case 'constraint':
      case 'expression':
      case 'strategy':
      case 'branch':
      case 'guarded':
      case 'nowhere':
        return answer(200, json({ tags: ['1.0.0', '1.1.0'] }));
      default:
        return answer(500);
    }
  });
  return { host: new URL(server.url).host, asked, close: server.close };
}

async function selfSigned(dir: string) {
  const { cert, key } = makeCertificates(join(dir, 'tls')).server;
  const server = createSecureServer({ cert, key }, (_request, response) => response.end(json({ tags: ['1.1.0'] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

const expected: Readonly<Record<string, RegExp>> = {
  down: /ECONNREFUSED/u,
  refused: /authentication required/u,
  forbidden: /credentials/u,
  missing: /missing was not found/u,
  patient: /rate-limiting requests \(429\)/u,
  garbled: /the list of its tags cannot be read/u,
  notlist: /the list of its tags cannot be read/u,
  endless: /the list of its tags has no end/u,
  circle: /the list of its tags has no end/u,
  signed: /certificate was not accepted/u,
  constraint: /"not-a-range" is not a version constraint/u,
  expression: /"\[" is not a regular expression/u,
  strategy: /unknown update strategy "newest"/u,
  branch: /template of the branch/u,
  guarded: /refused the push: no robots/u,
  nowhere: /there is no kustomization in nowhere\/else/u,
  plain: /only Helm, Kustomize and plugins/u,
};

test('each Application reports its own problem, the others are updated, and nothing is partially written', {
  skip: openssl.skip,
}, async () => {
  const folder = scratch();
  const registry = await faultyRegistry();
  const secure = await selfSigned(folder.path);
  const down = `127.0.0.1:${await freePort()}`;
  const names = [...Object.keys(expected), 'good', 'huge', 'vanishing'];
  const hostOf = (name: string): string => (name === 'down' ? down : name === 'signed' ? secure.host : registry.host);
  const imageOf = (name: string): string => `${hostOf(name)}/${name}`;
  const files = Object.assign(
    {},
    ...names
      .filter((name) => name !== 'plain')
      .map((name) => kustomizeFiles(name, imageOf(name), name === 'vanishing' ? 'old' : '1.0.0')),
  ) as Record<string, string>;
  const env = await openUpdater({
    ...files,
    'plain/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n',
  });
  try {
    const method = { 'write-back-method': 'git', 'write-back-target': 'kustomization' };
    const own: Readonly<Record<string, Record<string, string>>> = {
      constraint: { 'image-list': `web=${imageOf('constraint')}:not-a-range` },
      expression: { 'web.allow-tags': 'regexp:[' },
      strategy: { 'web.update-strategy': 'newest' },
      vanishing: { 'web.update-strategy': 'newest-build' },
      branch: { 'git-branch': 'main:{{ .Nothing' },
      guarded: { 'git-branch': 'main:guarded' },
      nowhere: { 'write-back-target': 'kustomization:/nowhere/else' },
      plain: { 'write-back-method': 'argocd', 'write-back-target': '' },
    };
    for (const name of names)
      await env.application(name, { 'image-list': `web=${imageOf(name)}`, ...method, ...own[name] });
    const hook = join(env.place.bare, 'hooks', 'update');
    mkdirSync(join(env.place.bare, 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\n[ "$1" = refs/heads/guarded ] && { echo "no robots" >&2; exit 1; }\nexit 0\n');
    chmodSync(hook, 0o755);
    for (const name of names.filter((one) => one !== 'plain'))
      await until(
        async () => (await env.images(name)).length > 0,
        () => env.conditions(name),
      );
    const conf = [
      `- name: plain\n  prefix: "${registry.host}"\n  api_url: http://${registry.host}\n`,
      `- name: down\n  prefix: "${down}"\n  api_url: http://${down}\n`,
      `- name: signed\n  prefix: "${secure.host}"\n  api_url: https://${secure.host}\n`,
    ];
    await env.updater({
      registriesConf: `registries:\n${conf.join('')}`,
      settings: { mode: 'cycle', intervalMs: 1_000, maxConcurrency: 20 },
    });

    await env.synced('good', `${imageOf('good')}:1.1.0`);
    await env.synced('huge', `${imageOf('huge')}:1.9.19999`);
    for (const [name, message] of Object.entries(expected)) {
      const found = await until(
        async () => (await env.conditions(name)).find((text) => text.startsWith('ImageUpdateError')),
        async () => ({ name, conditions: await env.conditions(name) }),
      );
      assert.match(found, message, name);
    }
    const events = await env.client.list<KubeObject & { reason?: string; regarding?: { name: string } }>(eventType, {
      namespace: 'argocd',
    });
    const warned = new Set(
      events.items.filter(({ reason }) => reason === 'ImageUpdateFailed').map(({ regarding }) => regarding?.name),
    );
    for (const name of Object.keys(expected)) assert.ok(warned.has(name), `an event about ${name}`);
    assert.deepEqual(
      (await env.conditions('vanishing')).filter((text) => text.startsWith('ImageUpdate')),
      [],
      'a deleted tag is not a candidate',
    );
    const written = new Set(
      env.place
        .git('log', '--name-only', '--format=', 'main')
        .split('\n')
        .filter((line) => line !== ''),
    );
    for (const name of Object.keys(expected)) {
      if (name !== 'plain')
        assert.equal(env.place.show(`${name}/kustomization.yaml`), files[`${name}/kustomization.yaml`], name);
    }
    assert.ok(written.has('good/kustomization.yaml'));
    assert.ok((registry.asked.get('patient') ?? 0) < 100, 'Retry-After is respected');
  } finally {
    await env.close();
    await registry.close();
    await secure.close();
    folder.remove();
  }
});
