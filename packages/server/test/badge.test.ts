/** Badges over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applicationKind } from '@fairlead/api';
import { configMapType, type KubeObject } from '@fairlead/apimachinery';
import { Installation, namespace } from './support/full-installation.ts';

let installation: Installation;
before(async () => {
  installation = await Installation.start({ settings: { 'statusbadge.enabled': 'true' } });
  await create('shop', 'Healthy', 'Synced');
  await create('slow', 'Progressing', 'OutOfSync', 'team');
  await create('odd', '<script>', '"&"', 'odd');
  for (let attempt = 0; attempt < 100 && !(await badge('?name=odd')).text.includes('#60;'); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 50));
});
after(() => installation.close());

async function create(name: string, health: string, sync: string, project = 'default'): Promise<void> {
  const revision = '0123456789abcdef0123456789abcdef01234567';
  const application: KubeObject & { spec: object; status: object } = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace },
    spec: { project, source: { repoURL: 'https://git.example.com/x', path: '.' }, destination: {} },
    status: {
      health: { status: health },
      sync: { status: sync },
      operationState: {
        operation: {},
        phase: 'Succeeded',
        startedAt: '2024-01-01T00:00:00Z',
        syncResult: { revision },
      },
    },
  };
  await installation.client.create<KubeObject>(applicationKind.type, application);
}

const badge = (query: string) => installation.call(undefined, 'GET', `/api/badge${query}`);
const textsIn = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)/gu)].map(([, text = '']) => text);

test('anybody reads the status of an Application, of projects, or that there is none', async () => {
  const { status, headers, text } = await badge('?name=shop');
  assert.deepEqual(
    [status, headers.get('content-type'), headers.get('cache-control')],
    [200, 'image/svg+xml', 'private, no-store'],
  );
  assert.deepEqual(textsIn(text), ['', 'Healthy', 'Synced', '']);
  assert.deepEqual(textsIn((await badge('?project=default')).text), ['', 'Healthy', 'Synced', '']);
  assert.deepEqual(textsIn((await badge('?project=default&project=team')).text), ['', 'Degraded', 'OutOfSync', '']);
  assert.deepEqual(textsIn((await badge('?name=none')).text), ['', 'Not Found', '', '']);
  assert.deepEqual(textsIn((await badge('?name=shop&namespace=other')).text), ['', 'Not Found', '', '']);
  assert.deepEqual(textsIn((await badge('')).text), ['', 'Unknown', 'Unknown', '']);
});

test('revision, name and width are shown if they are asked for', async () => {
  assert.deepEqual(textsIn((await badge('?name=shop&revision=true')).text).at(-1), '(0123456)');
  const { text } = await badge('?name=shop&revision=true&keepFullRevision=true&showAppName=TRUE&width=500');
  assert.match(text, /^<svg width="500" {3}height="40"/u);
  assert.deepEqual([textsIn(text)[0], textsIn(text).at(-1)?.length], ['shop', 42]);
});

test('what is not a name is refused, and texts cannot leave their place', async () => {
  for (const query of ['?name=A_B', '?name=%3Cx%3E', '?namespace=..', '?project=a%20b', '?name='])
    assert.equal((await badge(query)).status, 400, query);
  for (const query of ['?width=x', '?width=1e9', '?width=99999999999999999999', '?name=shop&width=-5'])
    assert.equal((await badge(query)).status, 200, query);
  assert.deepEqual(textsIn((await badge('?name=odd')).text).slice(1, 3), ['&#60;script&#62;', '&#34;&#38;&#34;']);
});

test('nothing is shown unless badges are enabled', async () => {
  const data = { 'statusbadge.enabled': 'false' };
  await installation.client.patch(configMapType, { namespace, name: 'argocd-cm' }, 'merge', { data });
  for (let attempt = 0; attempt < 100; attempt++) {
    if (textsIn((await badge('?name=shop')).text)[1] === 'Unknown') break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const query of ['?name=shop', '?name=none', '?name=A_B', '?project=default'])
    assert.deepEqual(textsIn((await badge(query)).text), ['', 'Unknown', 'Unknown', ''], query);
});
