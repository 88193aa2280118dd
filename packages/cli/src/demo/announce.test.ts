import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, operationState } from '../../test/support/application.ts';
import { Announcer } from './announce.ts';

test('prints each final state of an Application once', () => {
  const announcer = new Announcer();
  const onItsWay = application({ status: { health: { status: 'Progressing' } } });
  assert.equal(announcer.line(onItsWay), undefined);
  assert.equal(announcer.line(application({ operation: { sync: {} } })), undefined);
  const well = '✔ application web is Synced and Healthy: in-cluster/demo at aaaaaaa';
  assert.equal(announcer.line(application()), well);
  assert.equal(announcer.line(onItsWay), undefined);
  assert.equal(announcer.line(application()), undefined, 'the same state is not printed again');
  const failed = application({
    status: {
      sync: { status: 'OutOfSync' },
      operationState: operationState({ phase: 'Failed', message: 'no', finishedAt: 'x' }),
    },
  });
  assert.equal(announcer.line(failed), '✖ application web is OutOfSync and Healthy: the last sync failed: no');
  assert.equal(announcer.line(application()), well, 'a fix is printed');
  announcer.forget(application());
  assert.equal(announcer.line(application()), well, 'a new Application of the same name is printed');
});
