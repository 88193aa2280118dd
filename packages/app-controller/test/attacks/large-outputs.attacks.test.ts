import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startNeighbour } from '@fairlead/kube/testing';
import { startTenants, type Tenants, until } from '../support/tenants.ts';

let tenants: Tenants;
before(async () => {
  tenants = await startTenants();
  await tenants.addProject('hostile');
});
after(() => tenants.close());

const chart = (objects: number): Record<string, string> => ({
  'Chart.yaml': 'apiVersion: v2\nname: large\nversion: 1.0.0\n',
  'templates/a.yaml': `{{ range until ${objects} }}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c-{{ . }}}\n{{ end }}`,
});
const manifests = (objects: number): string =>
  Array.from({ length: objects }, (_, i) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c-${i}}\n`).join(
    '---\n',
  );

const outputs: [name: string, files: Record<string, string>, objects: number][] = [
  ['chart', chart(40_000), 40_000],
  ['directory', { 'all.yaml': manifests(40_000) }, 40_000],
  ['kustomization', { 'kustomization.yaml': 'resources: [all.yaml]\n', 'all.yaml': manifests(12_000) }, 12_000],
];

for (const [name, files, objects] of outputs) {
  test(`a ${name} of ${objects} objects fails, and does not delay a commit of another tenant`, async () => {
    const { url } = await tenants.addRepository(name, files);
    const neighbour = await startNeighbour(() => tenants.deliveryMs('honest'));
    await tenants.addApplication('hostile', name, { repoURL: url });
    await neighbour.assertUnaffected();
    await until(async () => (await tenants.application(name)).status?.conditions !== undefined);
    const [condition] = (await tenants.application(name)).status?.conditions ?? [];
    assert.match(condition?.message ?? '', new RegExp(`renders to ${objects} objects, and the limit is 10,000`));
  });
}

test('a chart of 5,000 objects is compared, and does not delay a commit of another tenant', async () => {
  const { url } = await tenants.addRepository('large', chart(5_000));
  const neighbour = await startNeighbour(() => tenants.deliveryMs('honest'));
  await tenants.addApplication('hostile', 'large', { repoURL: url }, { syncPolicy: {} });
  await neighbour.assertUnaffected();
  await until(async () => (await tenants.application('large')).status?.sync?.status === 'OutOfSync');
});
