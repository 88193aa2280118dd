import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fairlead/kube';
import { DeliveryLanes } from './delivery-lanes.ts';

test('a destination that never answers delays no other', async () => {
  const lanes = new DeliveryLanes();
  const never = Promise.withResolvers<void>();
  const stuck = Array.from({ length: 50 }, () => lanes.run('slow', () => never.promise));
  let delivered = 0;
  await Promise.all(Array.from({ length: 50 }, () => lanes.run('fast', async () => void (delivered += 1))));
  assert.equal(delivered, 50);
  assert.equal(lanes.pending, 50);
  never.resolve();
  await Promise.all(stuck);
  assert.equal(lanes.pending, 0);
});

test('a destination gets few deliveries at once', async () => {
  const lanes = new DeliveryLanes();
  let running = 0;
  let most = 0;
  const deliver = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => lanes.run('one', deliver)));
  assert.equal(most, limits.notificationsPerDestination);
});

test('the number of deliveries in all lanes is limited, and all are made', async () => {
  const lanes = new DeliveryLanes();
  let running = 0;
  let most = 0;
  const deliver = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 600 }, (_, i) => lanes.run(`lane-${i}`, deliver)));
  assert.equal(most, limits.notifications);
  assert.equal(lanes.pending, 0);
});

test('a lane that is full refuses more', async () => {
  const lanes = new DeliveryLanes();
  const never = Promise.withResolvers<void>();
  const count = limits.notificationsPerDestination + limits.notificationsWaiting;
  const stuck = Array.from({ length: count }, () => lanes.run('slow', () => never.promise));
  await assert.rejects(
    lanes.run('slow', async () => {}),
    /wait for this destination/u,
  );
  never.resolve();
  await Promise.all(stuck);
});
