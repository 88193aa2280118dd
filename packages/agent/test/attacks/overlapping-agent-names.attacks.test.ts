import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appProjectKind } from '@fairlead/api';
import { find as findObject } from '@fairlead/apimachinery';
import { type ApiClient, Informer, systemClock, systemRandom } from '@fairlead/kube';
import { startNeighbour } from '@fairlead/kube/testing';
import { annotation, type MirroredObject } from '../../src/core/kinds.ts';
import { until } from '../support/clusters.ts';
import { deliveriesTo, startHub, type TestAgent, type TestHub } from '../support/hub.ts';

/** Two autonomous agents whose projects have the same name on the hub: `site` has `a-web`, `site-a` has `web`. */
let hub: TestHub;
let site: TestAgent;
let siteA: TestAgent;
let edge: TestAgent;

before(async () => {
  hub = await startHub({ compareMs: 300 });
  [edge, site, siteA] = [
    await hub.startAgent('edge', 'managed'),
    await hub.startAgent('site', 'autonomous'),
    await hub.startAgent('site-a', 'autonomous'),
  ];
});
after(() => hub.close());

const { type } = appProjectKind;
const project = (name: string, description: string): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name, namespace: 'argocd' },
  spec: { description, sourceRepos: ['*'], destinations: [{ namespace: '*', server: '*' }] },
});
const read = (client: ApiClient, name: string) =>
  findObject(client.get<MirroredObject>(type, { namespace: 'argocd', name }));

test('agents site and site-a do not overwrite or delete the AppProjects of each other', async () => {
  const neighbour = await startNeighbour(await deliveriesTo(hub, 'edge', edge));
  const events: string[] = [];
  const stop = new AbortController();
  const projects = new Informer<MirroredObject>(
    hub.cluster.client,
    type,
    { namespace: 'argocd' },
    { clock: systemClock, random: systemRandom },
  );
  projects.addHandler({
    onAdd: ({ metadata }) => void events.push(`created ${metadata.name}`),
    onUpdate: (_, { metadata }) => void events.push(`updated ${metadata.name}`),
    onDelete: ({ metadata }) => void events.push(`deleted ${metadata.name}`),
  });
  const watching = projects.run(stop.signal);
  const first = await site.cluster.client.create(type, project('a-web', 'of site'));
  await until(async () => (await read(hub.cluster.client, 'site-a-web')) !== undefined);
  await siteA.cluster.client.create(type, project('web', 'of site-a'));
  await siteA.cluster.client.create(type, project('other', 'of site-a'));
  await until(async () => (await read(hub.cluster.client, 'site-a-other')) !== undefined);
  await until(async () =>
    /AppProject site-a-web belongs to agent site/u.test((await hub.statusOf('site-a')).reason ?? ''),
  );
  await neighbour.assertUnaffected();
  const mirror = await read(hub.cluster.client, 'site-a-web');
  assert.equal(mirror?.spec?.['description'], 'of site');
  assert.equal(mirror?.metadata.annotations?.[annotation.sourceUid], first.metadata.uid);
  assert.equal(mirror?.metadata.annotations?.[annotation.agent], 'site');
  // site edits and deletes only its own, and site-a gets the name when it is free.
  await siteA.cluster.client.delete(type, { namespace: 'argocd', name: 'other' });
  await until(async () => (await read(hub.cluster.client, 'site-a-other')) === undefined);
  assert.equal((await read(hub.cluster.client, 'site-a-web'))?.metadata.uid, mirror?.metadata.uid);
  assert.ok(events.length <= 6, `the mirrors changed too often: ${events.join(', ')}`);
  await site.cluster.client.delete(type, { namespace: 'argocd', name: 'a-web' });
  await until(
    async () => (await read(hub.cluster.client, 'site-a-web'))?.spec?.['description'] === 'of site-a',
    30_000,
  );
  stop.abort();
  await watching;
});
