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

test('in a narrow terminal, names are shortened before a status is cut', () => {
  const long = application({
    name: 'storefront-production-europe-west',
    status: { health: { status: 'Progressing' } },
  });
  const [head = '', line = ''] = applicationTable([long], { ...options, columns: 40 });
  assert.equal(line, 'storefro…pe-west   Synced   Progressing…');
  assert.equal(head, 'NAME               SYNC     HEALTH     …');
});

test('the header can be left out', () => {
  assert.deepEqual(applicationTable([application()], { ...options, noHeaders: true }), [
    'web    Synced   Healthy   aaaaaaa    in-cluster/demo',
  ]);
});
