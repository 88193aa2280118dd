import { after, afterEach, before, test } from 'node:test';
import type { ApplicationSource } from '@fairlead/api';
import { namespaceType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { systemClock } from '@fairlead/kube';
import { startNeighbour } from '@fairlead/kube/testing';
import { type ManyRefsServer, startManyRefs } from '@fairlead/source/testing';
import { type HangingServer, startHangingServer } from '../support/hanging-server.ts';
import { startTenants, type Tenants, until } from '../support/tenants.ts';

const applications = 60;
let tenants: Tenants;
let hanging: HangingServer;
let manyRefs: ManyRefsServer;
/** The Applications of the running attack. */
const hostile: string[] = [];

before(async () => {
  [tenants, hanging, manyRefs] = await Promise.all([
    startTenants(),
    startHangingServer(),
    startManyRefs(2_000_000, 'everything'),
  ]);
});
after(async () => {
  await tenants.close();
  hanging.close();
  await manyRefs.close();
});

/** During the attack, commits of another tenant are deployed as usual. */
async function assertHarmless(attack: () => Promise<void>): Promise<void> {
  const neighbour = await startNeighbour(() => tenants.deliveryMs('honest'));
  await attack();
  await neighbour.assertUnaffected();
}

afterEach(async () => {
  for (const name of hostile.splice(0)) await tenants.removeApplication(name);
});

async function addHostile(project: string, source: (n: number) => ApplicationSource): Promise<void> {
  await tenants.addProject(project);
  for (let n = 0; n < applications; n += 1) {
    hostile.push(`${project}-${n}`);
    await tenants.addApplication(project, `${project}-${n}`, source(n));
  }
}

test('remote bases and value files that never arrive', async () => {
  const bases = await tenants.addRepository('bases', {
    'base/kustomization.yaml': `resources: ["http://${hanging.address}/base.yaml"]\n`,
    'repository/kustomization.yaml': `resources: ["http://${hanging.address}/owner/repository//base?ref=main"]\n`,
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  });
  await assertHarmless(async () => {
    await addHostile('bases', (n): ApplicationSource => {
      const repoURL = bases.url;
      if (n % 3 === 0) return { repoURL, path: 'base' };
      if (n % 3 === 1) return { repoURL, path: 'repository' };
      return { repoURL, path: 'chart', helm: { valueFiles: [`http://${hanging.address}/values-${n}.yaml`] } };
    });
    await until(async () => hanging.connections > 0);
  });
});

test('registries that never answer, as sources', () =>
  assertHarmless(async () => {
    await addHostile('artifacts', (n) => ({
      repoURL: `oci://${hanging.address}/artifact-${n}`,
      path: '.',
      targetRevision: '1.0.0',
    }));
    await until(async () => hanging.connections > 0);
  }));

test('chart repositories that never answer', () =>
  assertHarmless(async () => {
    await addHostile('charts', (n) => ({
      repoURL: `http://${hanging.address}/charts-${n}`,
      chart: 'web',
      targetRevision: '1.0.0',
    }));
    await until(async () => hanging.connections > 0);
  }));

test('a repository with 2,000,000 refs', () =>
  assertHarmless(async () => {
    await tenants.addProject('refs');
    hostile.push('refs-0');
    await tenants.addApplication('refs', 'refs-0', { repoURL: manyRefs.url, targetRevision: 'n1' });
    await until(async () =>
      JSON.stringify((await tenants.application('refs-0')).status?.conditions ?? []).includes('limit gitRefs'),
    );
  }));

test('a cluster that no longer answers', async () => {
  const cluster: EmbeddedCluster = await startEmbeddedCluster({
    nodes: 1,
    clock: systemClock,
    seed: 2,
    nodeEvents: false,
  });
  const { hostname, port } = new URL(cluster.url);
  const proxy = await startHangingServer({ host: hostname, port: Number(port) });
  try {
    await tenants.addCluster('remote', `https://${proxy.address}`, cluster.token);
    const repository = await tenants.addRepository('remote', folders('1'));
    await tenants.addProject('remote');
    await cluster
      .client('test')
      .create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'remote' } });
    for (let n = 0; n < applications; n += 1) {
      const source = { repoURL: repository.url, path: `app-${n}` };
      hostile.push(`remote-${n}`);
      await tenants.addApplication('remote', `remote-${n}`, source, {
        destination: { server: `https://${proxy.address}`, namespace: 'remote' },
      });
    }
    for (let n = 0; n < applications; n += 1)
      await until(async () => (await tenants.application(`remote-${n}`)).status?.sync?.status === 'Synced');
    await assertHarmless(async () => {
      proxy.hang();
      await repository.push(1, folders('2'));
    });
  } finally {
    proxy.close();
    await cluster.close();
  }
});

/** A folder for each Application. */
const folders = (value: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: applications }, (_, n) => [
      `app-${n}/a.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app-${n}}\ndata: {value: "${value}"}\n`,
    ]),
  );
