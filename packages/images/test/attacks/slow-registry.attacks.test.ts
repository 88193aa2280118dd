import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startNeighbour } from '@fairlead/kube/testing';
import { type ImageNeighbour, startImageNeighbour } from '../support/image-neighbour.ts';
import { until } from '../support/updater-setup.ts';

const hostile = 60;
let images: ImageNeighbour;

/** Starts its response, and then sends a byte per second. */
const waiting = new Set<object>();
const slow = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  const drip = setInterval(() => response.write(' '), 1_000);
  waiting.add(response);
  response.on('close', () => {
    clearInterval(drip);
    waiting.delete(response);
  });
});
const slowHost = (): string => `127.0.0.1:${(slow.address() as AddressInfo).port}`;

before(async () => {
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  images = await startImageNeighbour(slowHost());
});
after(async () => {
  await images.close();
  slow.closeAllConnections();
  slow.close();
});

for (const mode of ['cycle', 'continuous'] as const) {
  test(`${mode} mode: a registry that sends a byte per second delays neither other Applications nor the shutdown`, async (t) => {
    const { stop, running } = await images.start({ mode });
    t.after(() => stop.abort());
    const neighbour = await startNeighbour(images.deliver);
    for (let n = 0; n < hostile; n++) await images.addApplication(`${mode}-${n}`, `${slowHost()}/${mode}-${n}`);
    await until(
      () => waiting.size > 0,
      () => 'the slow registry was not queried',
    );
    await neighbour.assertUnaffected(() => waiting.size > 0);

    const began = performance.now();
    stop.abort();
    await running.stopped;
    assert.ok(performance.now() - began < 5_000, `the process ends after ${performance.now() - began} ms`);
    for (let n = 0; n < hostile; n++) await images.removeApplication(`${mode}-${n}`);
  });
}
