import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '../objects.ts';
import { Heartbeats, silentConditions } from './node-health.ts';
import { ClusterSize } from './node-marks.ts';

test('the conditions of a node without heartbeats become Unknown', () => {
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n', creationTimestamp: 'born' },
    status: {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'fine', lastTransitionTime: 'before' },
        { type: 'NetworkUnavailable', status: 'False' },
        { type: 'DiskPressure', status: 'Unknown', reason: 'Old', lastTransitionTime: 'before' },
      ],
    },
  };
  assert.deepEqual(
    silentConditions(node, 'now').map(({ type, status, reason, lastTransitionTime }) => [
      type,
      status,
      reason,
      lastTransitionTime,
    ]),
    [
      ['Ready', 'Unknown', 'NodeStatusUnknown', 'now'],
      ['NetworkUnavailable', 'False', undefined, undefined],
      ['DiskPressure', 'Unknown', 'Old', 'before'],
      ['MemoryPressure', 'Unknown', 'NodeStatusNeverUpdated', 'now'],
      ['PIDPressure', 'Unknown', 'NodeStatusNeverUpdated', 'now'],
    ],
  );
});

test('a repeated heartbeat value is not a new heartbeat', () => {
  const heartbeats = new Heartbeats();
  assert.equal(heartbeats.lastHeartbeat('n'), undefined);
  heartbeats.record('n', 'a', 10);
  heartbeats.record('n', 'a', 20);
  assert.equal(heartbeats.lastHeartbeat('n'), 10);
  heartbeats.record('n', 'b', 30);
  assert.equal(heartbeats.lastHeartbeat('n'), 30);
});

test('the TTL of cached Secrets on kubelets grows with the cluster size, with hysteresis', () => {
  const size = new ClusterSize();
  const grow = (by: number) => Array.from({ length: Math.abs(by) }, () => (by > 0 ? size.added() : size.removed()));
  grow(100);
  assert.equal(size.secondsToLive, 0);
  grow(1);
  assert.equal(size.secondsToLive, 15);
  grow(-11);
  assert.equal(size.secondsToLive, 15);
  grow(-1);
  assert.equal(size.secondsToLive, 0);
  grow(911);
  assert.equal(size.secondsToLive, 30);
});
