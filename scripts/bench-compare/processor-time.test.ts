import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { platform } from 'node:os';
import { test } from 'node:test';
import { withProcessorTime } from './processor-time.ts';

const busy = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
const idle = 'setTimeout(() => {}, 300);';

function used(program: string): number {
  const [figure] = withProcessorTime(() => {
    assert.equal(spawnSync(process.execPath, ['-e', program]).status, 0);
    return [];
  });
  assert.equal(figure?.unit, 's');
  return figure.value;
}

test('processor time counts what child processes compute, not what they wait', { skip: platform() !== 'linux' }, () => {
  assert.ok(used(busy) - used(idle) > 0.2);
});
