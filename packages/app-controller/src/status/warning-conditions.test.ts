import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionWarnings } from './warning-conditions.ts';

test('unknown sync options are reported: those of the spec, and those that only the last operation has', () => {
  const warnings = optionWarnings({
    spec: { syncPolicy: { syncOptions: ['Whatever=yes', 'Prune=false'] } },
    status: { operationState: { operation: { sync: { syncOptions: ['Whatever=yes', 'prune=false'] } } } },
  });
  assert.deepEqual(
    warnings.map(({ type, message }) => [type, message.replace(/: use one of .*$/u, '')]),
    [
      ['InvalidAnnotationWarning', "spec.syncPolicy.syncOptions: 'Whatever=yes' is not a sync option"],
      ['InvalidAnnotationWarning', "syncOptions of the last operation: 'prune=false' is not a sync option"],
    ],
  );
});
