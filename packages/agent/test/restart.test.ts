/** The cost of a restart of the principal, with and without the file of its outbox. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { after, before, test } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { argocdChecksum } from '../src/core/content.ts';
import { type AgentIdentity, invite, join, journalsIn, Principal, withCapabilities } from '../src/index.ts';
import { application, appType, makeNamespace, startCluster, type TestCluster, until } from './support/clusters.ts';
import { openManualStream } from './support/manual-stream.ts';

const namespace = 'argocd';
const shared = {
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  version: withCapabilities('0.1.0'),
  namespace,
};
const dir = mkdtempSync(joinPath(tmpdir(), 'fairlead-restart-'));
let hub: TestCluster;
const stops: (() => Promise<void>)[] = [];
before(async () => {
  hub = await startCluster();
});
after(async () => {
  for (const stop of stops) await stop();
  await hub.close();
  rmSync(dir, { recursive: true, force: true });
});

async function startPrincipal(outbox: string | undefined) {
  const stop = new AbortController();
  const link = outbox ? { link: { journal: journalsIn(outbox) } } : {};
  const place = { host: '127.0.0.1', port: 0, names: ['127.0.0.1'] };
  const principal = await Principal.start({ ...shared, ...link, ...place, client: hub.client }, stop.signal);
  const close = async (): Promise<void> => {
    stop.abort();
    await principal.close();
  };
  stops.push(close);
  return { address: principal.address, stop: close };
}

const written = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(joinPath(folder, name), 'utf8'))
    .join('');

/**
 * An agent of argocd-agent is stopped; a label is set in the meantime; the principal is restarted. Returns all specs of the Application
 * that the agent then receives, until its resync request is answered.
 */
async function labelOverRestart(agent: string, outbox: string | undefined) {
  let principal = await startPrincipal(outbox);
  const identity: AgentIdentity = await join(await invite(hub.client, namespace, { agent, mode: 'managed' }), agent);
  await makeNamespace(hub.client, agent);
  const first = await openManualStream(identity, { address: principal.address, version: '0.5.0' });
  await until(() => first.sentObjects('request-resource-resync').length > 0, 10_000, 'the stream is open');
  const made = await hub.client.create(appType, application(agent, 'shop'));
  await until(() => first.sentObjects('spec-update').length > 0);
  first.answerAll();
  first.client.close();
  await until(async () => first.ended() !== undefined);
  const labelled = await hub.client.patch(appType, { namespace: agent, name: 'shop' }, 'merge', {
    metadata: { labels: { team: 'shop' } },
  });
  if (outbox) await until(() => written(outbox).includes(`"uid":"${made.metadata.uid}"`), 10_000, 'it is recorded');
  const before = outbox ? /"trace":"00-([0-9a-f]{32})/u.exec(written(outbox))![1] : undefined;
  await principal.stop();

  principal = await startPrincipal(outbox);
  const second = await openManualStream(identity, { address: principal.address, version: '0.5.0' });
  const item = { name: 'shop', kind: 'Application', uid: made.metadata.uid };
  const checksum = argocdChecksum(labelled).toString('base64');
  second.send('request-update', 'resourceResync', { eventid: 'q' }, { ...item, checksum });
  await until(() =>
    second.received.some(({ attributes, type }) => type.endsWith('.processed') && attributes['eventid'] === 'q'),
  );
  // The outbox is sent before the response to a later request.
  const sent = second.sentObjects('spec-update');
  second.answerAll();
  if (outbox)
    await until(
      () => !written(outbox).split('\n').slice(1).join('').includes('"tell"'),
      10_000,
      'it is removed from the journal',
    );
  second.client.close();
  await principal.stop();
  return { sent, before };
}

test('with its file the principal sends after a restart what was not sent, in the same trace', async () => {
  const { sent, before } = await labelOverRestart('with', joinPath(dir, 'with'));
  assert.deepEqual(
    sent.map(({ object }) => object.metadata.labels),
    [{ team: 'shop' }],
  );
  assert.equal(sent[0]!.attributes['traceparent']?.split('-')[1], before, 'and it is still the same trace');
});

test('without its file, the principal sends everything after a restart', async () => {
  const { sent } = await labelOverRestart('without', undefined);
  assert.deepEqual(
    sent.map(({ object }) => object.metadata.labels),
    [{ team: 'shop' }],
  );
});
