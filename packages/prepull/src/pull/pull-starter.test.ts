import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrePullImage } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import { silentLogger } from '@fairlead/kube';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { readSettings } from '../policy/pull-settings.ts';
import { type Job, pullJob } from './pull-job.ts';
import { PullStarter } from './pull-starter.ts';

const image: PrePullImage = {
  apiVersion: 'kwarm.io/v1alpha1',
  kind: 'PrePullImage',
  metadata: { name: 'web', namespace: 'shop', uid: 'u' },
  spec: { image: 'nginx:1' },
};

/** A starter with one slot, whose requests get no response while `hangs` is set. */
async function starter() {
  const sim = new Simulation(1);
  const process = sim.process('prepull');
  const client = new SimApiServer(sim).client(process);
  const state = { leads: true, hangs: false };
  const requested: string[] = [];
  const settings = readSettings(image);
  const jobs = new PullStarter({
    client: {
      get: client.get.bind(client),
      list: client.list.bind(client),
      create: async (type, object, options) => {
        requested.push(object.metadata.name);
        return state.hangs ? new Promise(() => {}) : client.create(type, object, options);
      },
    },
    limits: { cluster: 1 },
    clock: process.clock,
    log: silentLogger,
    jobFor: (_, pull) => pullJob(image, settings, pull),
    onRefused: (_, error) => assert.fail(error),
    isLeader: () => state.leads,
    isCached: () => false,
    onMissedEvent: () => {},
  });
  let started = false;
  void jobs.start('', new AbortController().signal).then(() => {
    started = true;
  });
  await sim.reach(() => started, 60_000);
  const pull = (node: string) =>
    jobs.set({ key: keyOf(image), tenant: 'shop', registry: 'docker.io', priority: 0, pulls: [{ node, attempt: 0 }] });
  const jobOn = (node: string): Job => pullJob(image, settings, { node, attempt: 0 });
  return { jobs, state, requested, pull, jobOn };
}

test('a process that is no longer the leader neither requests a pull nor takes a slot', async () => {
  const { jobs, state, requested, pull } = await starter();
  state.leads = false;
  pull('n1');
  assert.deepEqual([jobs.active.size, requested.length], [0, 0]);
  state.leads = true;
  jobs.dispatch();
  assert.deepEqual([jobs.active.size, requested.length], [1, 1]);
});

test('a request without a response keeps its slot, also if a Job of the same name is reported as deleted', async () => {
  const { jobs, state, requested, pull, jobOn } = await starter();
  state.hangs = true;
  pull('n1');
  jobs.forget(jobOn('n1'));
  pull('n2');
  assert.equal(jobs.active.size, 1);
  assert.equal(requested.length, 1, 'the pull on the other node waits');
});
