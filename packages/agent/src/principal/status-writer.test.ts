import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiClient, silentLogger } from '@fairlead/kube';
import { StatusWriter } from './status-writer.ts';

test('a pending write is dropped on close', () => {
  const timers = new Set<() => void>();
  const observed: string[] = [];
  const writer = new StatusWriter({
    client: {} as ApiClient,
    namespace: 'argocd',
    clock: {
      now: () => 0,
      after(_ms, run) {
        timers.add(run);
        return () => timers.delete(run);
      },
    },
    log: silentLogger,
    observe: (agent) => {
      observed.push(agent);
      return undefined;
    },
  });
  const passTime = (): void => {
    for (const run of [...timers]) {
      timers.delete(run);
      run();
    }
  };
  writer.changed('edge');
  writer.changed('edge');
  passTime();
  assert.deepEqual(observed, ['edge'], 'many changes make one write');
  writer.changed('edge');
  writer.close();
  writer.changed('west');
  passTime();
  assert.deepEqual(observed, ['edge']);
});
