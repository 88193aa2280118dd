import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrePullImage } from '@fairlead/api';
import { noStyle } from '../terminal/style.ts';
import { NodeLog, nodeLines } from './status-text.ts';

const at = (seconds: number): string => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)).toISOString();
const now = Date.parse(at(60));

const image = (nodeStatus: NonNullable<PrePullImage['status']>['nodeStatus']): PrePullImage =>
  ({
    metadata: { namespace: 'shop', name: 'web' },
    spec: { image: 'registry.test/web:2' },
    status: {
      phase: 'InProgress',
      summary: { total: 4, completed: 1, failed: 1, pending: 1, pulling: 1 },
      nodeStatus,
    },
  }) as unknown as PrePullImage;

const pulling = image([
  { node: 'a', status: 'Completed', duration: '20s' },
  { node: 'long-b', status: 'Pulling', startedAt: at(50) },
  { node: 'c', status: 'Pending' },
  { node: 'd', status: 'Failed', error: 'not\u001b found' },
]);

test('the bar of a node is an estimate, and full when the image is present', () => {
  const [head, ...lines] = nodeLines(pulling, noStyle, 40, now);
  assert.equal(head, 'shop/web  registry.test/web:2  InProgress  1 of 4 nodes, 1 failed');
  assert.deepEqual(
    lines.map((line) => [line.trim().slice(0, 8).trimEnd(), line.match(/█/gu)?.length ?? 0]),
    [
      ['✖ d', 0],
      ['◐ long-b', 10],
      ['· c', 0],
      ['✔ a', 20],
    ],
  );
  assert.match(lines[0]!, /not.* found$/u);
  assert.ok(!lines[0]!.includes('\u001b'), 'control characters of a registry do not reach the terminal');
  assert.match(lines[1]!, /10s$/u);
});

test('the bar of a slow pull is not full', () => {
  const [, line] = nodeLines(image([{ node: 'a', status: 'Pulling', startedAt: at(-600) }]), noStyle, 40, now);
  assert.equal(line!.match(/█/gu)?.length, 19);
});

test('counts nodes that do not fit', () => {
  const lines = nodeLines(pulling, noStyle, 4, now);
  assert.equal(lines.length, 4);
  assert.equal(lines.at(-1)!.trim(), '… and 2 more nodes');
});

test('without a terminal each change of a node is printed once', () => {
  const log = new NodeLog();
  assert.deepEqual(
    log.lines(pulling).map((line) => line.split(':')[0]),
    ['a', 'long-b', 'd'],
  );
  assert.deepEqual(log.lines(pulling), []);
  assert.deepEqual(log.lines(image([{ node: 'c', status: 'Completed', duration: '3s' }])), ['c: Completed  3s']);
});
