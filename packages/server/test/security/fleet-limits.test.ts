/** Limits of the fleet API: connections without a session, clients that do not read, and queries that are too large. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { applicationKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { limits, sleep, systemClock } from '@fairlead/kube';
import { measureEventLoopLag, stopwatch } from '@fairlead/kube/testing';
import type { ApplicationPage } from '../../src/fleet/api/application-shapes.ts';
import { type EndpointId, endpointOf } from '../../src/fleet/api/endpoints.ts';
import { ApplicationIndex, type KeyedViewer } from '../../src/fleet/applications/application-index.ts';
import { facetCounts } from '../../src/fleet/applications/facet-counts.ts';
import { readFilter } from '../../src/fleet/applications/filter.ts';
import { FacetQueries, heatmapFor, pageOf } from '../../src/fleet/applications/queries.ts';
import { QueryValues } from '../../src/fleet/http/query-values.ts';
import { EventHub } from '../../src/fleet/stream/event-hub.ts';
import { EventLog } from '../../src/fleet/stream/event-log.ts';
import { EventReader } from '../support/event-reader.ts';
import { ask, base, read, setStatus, until } from '../support/fleet.ts';
import { namespace } from '../support/installation.ts';
import { recordFrom, sampleOf } from '../support/records.ts';
import { type SecuredInstallation, startSecured } from './fixtures.ts';

/** As in spec 11: no attack blocks the event loop for longer. */
const maxLagMs = 250;
const many = 60;
let secured: SecuredInstallation;
let admin: string;
const open: Socket[] = [];

before(async () => {
  secured = await startSecured({
    connections: { connections: 1_200, headerMs: 5_000, requestMs: 6_000, idleMs: 2_000, stalledMs: 2_000 },
  });
  admin = secured.tokens.admin;
  for (let i = 0; i < many; i++) await secured.installation.client.create(applicationKind.type, large(i));
  // The first requests of a process are slow, because their code is compiled.
  for (let i = 0; i < 300; i++) assert.equal((await ask(secured.server, 'a.b.c', '/applications')).status, 401);
  await until(async () => (await read<ApplicationPage>(secured.server, admin, '/applications?q=large')).total === many);
});

after(async () => {
  for (const socket of open) socket.destroy();
  await secured.installation.close();
});

/** An Application whose summary has about 38 KB. */
function large(i: number): KubeObject {
  const prefix = `${'a'.repeat(60)}.`.repeat(4);
  const labels = Array.from({ length: 100 }, (_, n) => [`${prefix}com/${String(n).padStart(60, 'k')}`, 'v'.repeat(63)]);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: `large-${i}`, namespace, labels: Object.fromEntries(labels) },
    spec: {
      project: 'team',
      source: { repoURL: 'https://git.example.com/a', path: '.' },
      destination: { server: 'x' },
    },
  } as KubeObject;
}

/** The numbers of answers by their first line, when all connections are closed. The flood is a separate process: its own work does not count. */
async function flood(count: number, text: string, meanwhile: () => Promise<void>): Promise<Record<string, number>> {
  const program = fileURLToPath(new URL('../support/connection-flood.ts', import.meta.url));
  const args = ['--no-warnings', program, String(secured.server.port), String(count), text];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    assert.equal((await lines.next()).value, 'open');
    await meanwhile();
    return JSON.parse(String((await lines.next()).value)) as Record<string, number>;
  } finally {
    child.kill();
  }
}

const requestFor = (path: string, more = ''): string => `GET ${base}${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

for (const [title, text, answer] of [
  ['that ask for events without a session are refused', requestFor('/events'), 'HTTP/1.1 401 Unauthorized'],
  [
    'that ask for a list with a token that nobody issued are refused',
    requestFor('/applications', 'authorization: Bearer a.b.c\r\n'),
    'HTTP/1.1 401 Unauthorized',
  ],
  ['that never complete a request are closed', requestFor('/events').slice(0, -2), 'HTTP/1.1 408 Request Timeout'],
] as const) {
  test(`1,000 connections ${title}, and who has a session gets events meanwhile`, async () => {
    const reader = await EventReader.open(secured.server, admin);
    await reader.until(({ lastId }) => lastId !== '');
    const lag = measureEventLoopLag();
    const answers = await flood(1_000, text, async () => {
      await setStatus(secured.installation.client, 'large-0', {
        health: { status: 'Degraded' },
        sync: { status: title },
      });
      await reader.until(({ changes }) => changes.includes('MODIFIED large-0'));
      assert.equal((await ask(secured.server, admin, '/facets')).status, 200);
    });
    const blocked = lag.stop();
    assert.deepEqual(answers, { [answer]: 1_000 });
    assert.ok(blocked <= maxLagMs, `the event loop was blocked for ${blocked} ms`);
    assert.equal(reader.isEnded, false);
    reader.close();
  });
}

/** A connection that reads nothing until `bytes` is called: it returns what was received when the server has closed it. */
async function unread(text: string) {
  const socket = connect(secured.server.port, '127.0.0.1');
  open.push(socket);
  socket.pause();
  socket.on('error', () => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return {
    async bytes(): Promise<number> {
      const closed = socket.closed || new Promise((resolve) => socket.once('close', resolve));
      let count = 0;
      socket.on('data', (chunk: Buffer) => {
        count += chunk.length;
      });
      socket.resume();
      await closed;
      return count;
    },
  };
}

/** What is in use, without what is no longer used. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

const authorized = (): string => `authorization: Bearer ${admin}\r\n`;
const megabytes = 2 ** 20;

test('clients that do not read their stream of events are disconnected, and cost no memory meanwhile', async () => {
  const changes = 600;
  const reader = await EventReader.open(secured.server, admin);
  await reader.until(({ lastId }) => lastId !== '');
  const clients = await Promise.all(
    Array.from({ length: 60 }, () => unread(requestFor('/events?types=application', authorized()))),
  );
  const before = keptBytes();
  let most = 0;
  for (let i = 0; i < changes; i++) {
    await setStatus(secured.installation.client, `large-${i % many}`, { sync: { status: `${i}` } });
    if (i % 50 === 0) most = Math.max(most, keptBytes() - before);
  }
  await reader.until((one) => one.changes.length === changes);
  await sleep(systemClock, 5_000);
  const received = await Promise.all(clients.map((client) => client.bytes()));
  const total = changes * 38_000;
  assert.ok(Math.max(...received) < total / 2, `${received.join(' ')} of ${total} bytes`);
  // All events for 60 clients would be 1,370 MB. The log, the cluster and the client that reads keep them once each.
  assert.ok(most < 150 * megabytes, `${Math.round(most / megabytes)} MB`);
  reader.close();
});

test('a client that sends requests without reading the answers is disconnected, and costs no memory meanwhile', async () => {
  const requests = 200;
  const before = keptBytes();
  const client = await unread(requestFor('/applications?limit=1000', authorized()).repeat(requests));
  let most = 0;
  for (let i = 0; i < 10; i++) {
    await sleep(systemClock, 500);
    most = Math.max(most, keptBytes() - before);
  }
  const received = await client.bytes();
  const total = requests * many * 38_000;
  assert.ok(received < total / 10, `${received} of ${total} bytes`);
  // All answers would be 450 MB.
  assert.ok(most < 50 * megabytes, `${Math.round(most / megabytes)} MB`);
  assert.equal((await ask(secured.server, admin, '/applications?limit=1')).status, 200);
});

test('queries and bodies beyond the limits are refused with the reason', async () => {
  const words = Array.from({ length: limits.fleetQueryWords + 1 }, (_, i) => `w${i}`).join('+');
  for (const path of ['/applications', '/facets', '/heatmap', '/events'])
    for (const [query, message] of [
      [`project=${'x'.repeat(limits.fleetQueryText + 1)}`, /^parameter project is longer than 500 characters$/u],
      [`q=${words}`, /^parameter q has more than 10 different words$/u],
      [
        Array.from({ length: limits.fleetQueryValues + 1 }, (_, i) => `label=k${i}`).join('&'),
        /^the query has more than 200 values$/u,
      ],
    ] as const) {
      const { status, body } = await ask<{ message: string }>(secured.server, admin, `${path}?${query}`);
      assert.equal(status, 400, `${path} ${query.slice(0, 40)}`);
      assert.match(body.message, message);
    }
  const url = `${secured.server.url}${base}`;
  assert.equal((await fetch(`${url}/applications?q=${'x'.repeat(100_000)}`)).status, 431, 'before it is read');
  const post = (body: string, token: string) =>
    fetch(`${url}/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
  // As large as a body may be.
  const size = limits.fleetBodyBytes - 100;
  const lag = measureEventLoopLag();
  for (const [body, token, status] of [
    [`{"action":"sync","applications":[${'{},'.repeat(size / 3)}{}]}`, admin, 400],
    [`${'['.repeat(size / 2)}${']'.repeat(size / 2)}`, admin, 400],
    [`{"action":"sync","filter":"${'q=a&'.repeat(size / 4)}"}`, admin, 400],
    [JSON.stringify({ action: 'x'.repeat(limits.fleetBodyBytes) }), admin, 429],
    [JSON.stringify({ action: 'x'.repeat(limits.fleetBodyBytes) }), 'none', 401],
  ] as const) {
    const answer = await post(body, token);
    const text = await answer.text();
    assert.deepEqual(
      [answer.status, text.length < 1_000],
      [status, true],
      `${body.slice(0, 40)}: ${text.slice(0, 200)}`,
    );
  }
  const blocked = lag.stop();
  assert.ok(blocked <= maxLagMs, `the event loop was blocked for ${blocked} ms`);
});

const everybody: KeyedViewer = { key: 'everybody', reach: () => 'some', allows: () => true };
const indexOf = (count: number): ApplicationIndex => {
  const index = new ApplicationIndex();
  for (let i = 0; i < count; i++) index.put(recordFrom(sampleOf({ name: `app-${i}`, project: `team-${i % 100}` })));
  return index;
};
const queryOf = (id: EndpointId, search: string): QueryValues =>
  QueryValues.read(new URLSearchParams(search), endpointOf(id).query ?? {});

test('the largest query that is permitted does not block the server, with 10,000 Applications', () => {
  const index = indexOf(10_000);
  const state = { index, version: '', rights: 0 };
  // Every Application matches, so that nothing can be left out.
  const words = ['a', 'p', 'e', 't', 'in', 'ap', 'de', 'te', 'sh', 'gi'].join('+');
  const projects = Array.from({ length: 150 }, (_, i) => `project=team-${i}`).join('&');
  const search = `q=${words}&${projects}&sync=Synced&health=Healthy`;
  for (const [what, run] of [
    ['list', () => pageOf(state, everybody, { query: queryOf('listApplications', search), path: {}, body: undefined })],
    ['facets', () => facetCounts(index, readFilter(queryOf('getFacets', search)), everybody)],
    [
      'heatmap',
      () => heatmapFor(state, everybody, { query: queryOf('getHeatmap', search), path: {}, body: undefined }),
    ],
  ] as const) {
    const elapsed = stopwatch();
    run();
    assert.ok(elapsed() <= maxLagMs, `${what}: ${elapsed()} ms`);
  }
});

test('500 streams that count different Applications block the server no longer than one of them', async () => {
  const index = indexOf(5_000);
  const log = new EventLog('p', 100);
  const state = { index, log, version: '', rights: 0 };
  const hub = new EventHub({ state, facets: new FacetQueries(), clock: systemClock });
  let counted = 0;
  const lag = measureEventLoopLag();
  for (let i = 0; i < 500; i++) {
    const filter = readFilter(queryOf('streamEvents', `q=a+${i}`));
    const view = { types: new Set(['facets']), filter, viewer: everybody, mayGetAgent: () => false };
    const sink = {
      write(bytes: Uint8Array): boolean {
        if (Buffer.from(bytes).includes('event: facets')) counted += 1;
        return true;
      },
      once: () => sink,
      end: () => sink,
    };
    hub.open(sink, view, undefined);
  }
  log.append({ kind: 'application', after: recordFrom(sampleOf({ name: 'changed' })) });
  await until(() => counted === 500);
  const blocked = lag.stop();
  hub.stop();
  assert.ok(blocked <= maxLagMs, `the event loop was blocked for ${blocked} ms`);
});
