/**
 * The main commands on a pseudo-terminal of 60, 80 and 120 columns, compared with files in `golden`. `FAIRLEAD_UPDATE_GOLDEN=1` writes them; review the
 * difference before it is committed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { type Application, applicationKind, appProjectKind, crdOf } from '@fairlead/api';
import { crdType, isNotFound, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { sleep, systemClock } from '@fairlead/kube';
import { application, operationState, resource } from './support/application.ts';
import { command, temporaryFolder } from './support/fairlead-process.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
let cluster: EmbeddedCluster;

const history = [0, 1].map((id) => ({
  id,
  revision: String(id).repeat(40),
  deployedAt: `2024-01-0${id + 1}T03:04:05Z`,
  source: { repoURL: 'https://example.com/shop.git', path: 'web' },
  initiatedBy: { username: 'ann' },
}));

const applications: readonly Application[] = [
  application({
    name: 'web',
    status: {
      history,
      resources: [
        resource('Deployment', 'web', { health: { status: 'Healthy' } }),
        resource('Service', 'web-with-a-name-that-is-as-long-as-names-of-charts-are', {
          health: { status: 'Healthy' },
        }),
        resource('ConfigMap', 'settings', { status: 'OutOfSync' }),
      ],
      operationState: operationState({ phase: 'Succeeded', finishedAt: '2024-01-02T03:04:05Z', message: 'synced' }),
    },
  }),
  application({
    name: 'storefront-production-europe-west-blue',
    status: {
      sync: { status: 'OutOfSync' },
      health: { status: 'Degraded' },
      conditions: [{ type: 'NotHealthy', message: 'Deployment demo/storefront is Degraded: 0 of 3 pods are ready' }],
    },
  }),
];

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 0 });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const client = cluster.client('test');
  for (const kind of [applicationKind, appProjectKind]) await client.create(crdType, crdOf(kind));
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } });
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  };
  for (let attempt = 0; ; attempt++) {
    try {
      await client.create<KubeObject>(appProjectKind.type, project);
      break;
    } catch (error) {
      if (!isNotFound(error) || attempt > 100) throw error;
      await sleep(systemClock, 50);
    }
  }
  for (const one of applications) {
    const { uid: _, ...metadata } = one.metadata;
    await client.create(applicationKind.type, { ...one, metadata });
  }
});
after(async () => {
  await cluster.close();
  folder.remove();
});

/** Runs a command as a person sees it, on a terminal of that width. */
async function shown(words: string, columns: number): Promise<string> {
  const line = `stty cols ${columns} rows 40; exec "${process.execPath}" "${command}" ${words}`;
  const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], HOME: folder.path, KUBECONFIG: kubeconfig, TERM: 'xterm', NO_COLOR: '1' },
  });
  return stripVTControlCharacters(stdout)
    .replaceAll('\r\n', '\n')
    .replaceAll(/\b\d+(?:d|h|m|s)(?:\d+(?:h|m|s))?\b/gu, 'AGE')
    .replaceAll(/ +$/gmu, '');
}

const commands: Readonly<Record<string, string>> = {
  'get-apps': 'get apps',
  'get-apps-wide': 'get apps -o wide',
  'app-get': 'app get web',
  'app-history': 'app history web',
  'get-projects': 'get projects',
  'help-app': 'help app',
};

for (const [name, words] of Object.entries(commands)) {
  test(`fairlead ${words} on terminals of 60, 80 and 120 columns`, async () => {
    for (const columns of [60, 80, 120]) {
      const file = fileURLToPath(new URL(`./golden/${name}-${columns}.txt`, import.meta.url));
      const text = await shown(words, columns);
      if (process.env['FAIRLEAD_UPDATE_GOLDEN']) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      assert.equal(text, readFileSync(file, 'utf8'), `${words} with ${columns} columns`);
    }
  });
}

test('a list of Applications never exceeds the width, and shows every status', async () => {
  for (const columns of [60, 80, 120]) {
    const lines = (await shown('get apps', columns)).trimEnd().split('\n');
    for (const line of lines) assert.ok([...line].length <= columns, `${columns}: ${line}`);
    assert.match(lines.join('\n'), /OutOfSync +Degraded/u);
  }
});
