import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ResourceType } from '@fairlead/apimachinery';
import { noFaults, SimApiServer, Simulation } from '@fairlead/sim';
import { InformerFactory, Manager } from '../src/index.ts';
import { greeter } from './example.ts';

const greetings: ResourceType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Greeting',
  plural: 'greetings',
  namespaced: true,
};

test('the example of the README works', async () => {
  const sim = new Simulation(1);
  const server = new SimApiServer(sim, noFaults);
  const process = sim.process('greeter');
  const client = server.client(process);
  const informers = new InformerFactory(client, process);
  const stop = new AbortController();
  const run = new Manager({ informers, clock: process.clock }).add(greeter(client, informers)).run(stop.signal);
  server.store.create(greetings, {
    apiVersion: 'example.com/v1',
    kind: 'Greeting',
    metadata: { namespace: 'default', name: 'first' },
    spec: { who: 'sim' },
  } as never);
  const status = () =>
    (server.store.get(greetings, { namespace: 'default', name: 'first' }) as { status?: unknown }).status;
  await sim.reach(() => status() !== undefined, 60_000);
  assert.deepEqual(status(), { message: 'Hello, sim!' });
  stop.abort();
  await sim.pass(1_000);
  await run;
});

test('the README contains the example that is tested', () => {
  const code = readFileSync(new URL('./example.ts', import.meta.url), 'utf8');
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const shown = /```ts\n([\s\S]*?)```/.exec(readme)?.[1];
  assert.equal(shown, code.replace("'../src/index.ts'", "'@fairlead/kube'"));
});
