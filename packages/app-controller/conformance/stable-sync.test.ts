import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { suite } from './stable-sync.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-stable-'));
after(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Record<string, string | object>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } };
const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
};
const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 2,
    maxReplicas: 3,
  },
};

async function results(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, passed, skipped, detail = '' } of suite({ dir: join(dir, folder) }))
    found[name] = skipped ? `skipped: ${skipped}` : passed ? 'passed' : detail;
  return found;
}

test('stable Applications pass, those changed by another controller fail, and random ones are skipped', async () => {
  write({
    'apps/plain/a.json': configMap,
    'apps/fights/web.json': deployment,
    'apps/fights/hpa.json': autoscaler,
    'apps/random/Chart.yaml': 'apiVersion: v2\nname: random\nversion: 1.0.0\n',
    'apps/random/templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: r}\ndata: {a: {{ randAlphaNum 5 }}}\n',
  });
  const { fights, 'fights+ssa': fightsServerSide, ...others } = await results('apps');
  for (const detail of [fights, fightsServerSide])
    assert.match(
      detail ?? '',
      /OutOfSync apps\/Deployment apps\/web.*spec\.replicas|self-heal synced: .*"kind":"Deployment","name":"web"/su,
    );
  const random = /^skipped: templates use randAlphaNum/u;
  assert.match(others['random'] ?? '', random);
  assert.match(others['random+ssa'] ?? '', random);
  assert.equal(others['plain'], 'passed');
  assert.equal(others['plain+ssa'], 'passed');
});

test('an object that no client can create is skipped by name', async () => {
  const broken = { ...deployment, spec: { ...deployment.spec, replicas: -1 } };
  write({
    'corpus/inputs/a/kustomization.yaml': { resources: ['web.yaml'] },
    'corpus/inputs/a/web.yaml': broken,
    'corpus/expected/a/case.json': { source: 's', dir: '.', args: [], ok: true },
    'corpus/expected/a/out.yaml': broken,
    'corpus/expected/b/case.json': { source: 's', dir: '.', args: [], ok: false },
  });
  const refused = /^skipped: the API server refuses Deployment web: .*spec\.replicas/u;
  const found = await results('corpus');
  assert.deepEqual(Object.keys(found).sort(), ['a', 'a+ssa']);
  for (const result of Object.values(found)) assert.match(result, refused);
});
