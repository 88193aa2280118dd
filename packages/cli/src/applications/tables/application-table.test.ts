import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../test/support/application.ts';
import { noStyle } from '../../terminal/style.ts';
import { applicationTable, type TableOptions } from './application-table.ts';

const options: TableOptions = { style: noStyle, wide: false, namespaces: false, columns: 120, now: 0 };
const broken = application({
  name: 'shop',
  status: {
    health: { status: 'Degraded' },
    conditions: [{ type: 'NotHealthy', message: 'Deployment demo/shop is Degraded: \u001b[31mits\ntext' }],
  },
});

test('the reason of a problem is on the same line if there is room', () => {
  assert.deepEqual(applicationTable([application(), broken], options), [
    'NAME   SYNC     HEALTH     REVISION   DESTINATION       WHY',
    'web    Synced   Healthy    aaaaaaa    in-cluster/demo',
    'shop   Synced   Degraded   aaaaaaa    in-cluster/demo   Deployment demo/shop is Degraded: [31mits text',
  ]);
});

test('the reason of a problem is on the next line without room', () => {
  assert.deepEqual(applicationTable([application(), broken], { ...options, columns: 60 }), [
    'NAME   SYNC     HEALTH     REVISION   DESTINATION',
    'web    Synced   Healthy    aaaaaaa    in-cluster/demo',
    'shop   Synced   Degraded   aaaaaaa    in-cluster/demo',
    '  Deployment demo/shop is Degraded: [31mits text',
  ]);
  assert.deepEqual(applicationTable([application()], { ...options, columns: 20 })[1], 'web    Synced   Hea…');
});
