import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, Operation } from '@fairlead/api';
import { apiError } from '@fairlead/apimachinery';
import type { HttpClient } from '@fairlead/kube';
import { application, operationState } from '../../../test/support/application.ts';
import { ClusterBackend } from '../../backend/cluster-backend.ts';
import { readEnvironment } from '../../environment.ts';
import { idOf, standingOf, startOperation } from './operation.ts';

const withId = (id: string): Operation => ({ sync: {}, info: [{ name: 'fairlead.dev/operation', value: id }] });

test('an operation is identified by its id, from the request to the end', () => {
  const asked = application({ operation: withId('a') });
  assert.equal(standingOf(asked, 'a').at, 'asked');
  const running = application({
    operation: withId('a'),
    status: { operationState: operationState({ operation: withId('a') }) },
  });
  assert.equal(standingOf(running, 'a').at, 'running');
  const ended = application({
    status: { operationState: operationState({ operation: withId('a'), phase: 'Succeeded' }) },
  });
  assert.equal(standingOf(ended, 'a').at, 'ended');
});

test('an operation that someone else started is not confused with it', () => {
  const other = application({ operation: { sync: {}, initiatedBy: { username: 'eve' } } });
  const standing = standingOf(other, 'a');
  assert.equal(standing.at, 'lost');
  assert.match(standing.at === 'lost' ? standing.why : '', /^it was replaced by another operation, started by eve/);
  const before = application({
    status: { operationState: operationState({ operation: withId('b'), phase: 'Succeeded' }) },
  });
  assert.equal(standingOf({ ...before, operation: withId('a') }, 'a').at, 'asked', 'the last one is still shown');
  assert.equal(standingOf(application(), 'a').at, 'lost');
});

test('the request is repeated on a conflict', async () => {
  const bodies: { metadata: object; operation: Operation; status: object }[] = [];
  let conflicts = 2;
  const client = {
    get: async () => application({ metadata: { resourceVersion: String(bodies.length) } }),
    patch: async (_: unknown, __: unknown, ___: unknown, body: (typeof bodies)[0]) => {
      bodies.push(body);
      if (conflicts-- > 0) throw apiError(409, 'Conflict', 'changed');
      return { ...application(), operation: body.operation } as Application;
    },
  } as unknown as HttpClient;
  const { id, application: now } = await startOperation(
    new ClusterBackend(client, readEnvironment({})),
    { namespace: 'argocd', name: 'web' },
    () => ({
      sync: { prune: true },
    }),
  );
  assert.deepEqual(
    bodies.map(({ metadata }) => metadata),
    [{ resourceVersion: '0' }, { resourceVersion: '1' }, { resourceVersion: '2' }],
  );
  assert.equal(idOf(now.operation), id);
  assert.deepEqual(bodies[0]?.operation.sync, { prune: true });
  assert.deepEqual(bodies[0]?.status, { operationState: null });
});

test('no operation is requested while another runs', async () => {
  const busy = application({ operation: { sync: {}, initiatedBy: { automated: true } } });
  const client = { get: async () => busy } as unknown as HttpClient;
  await assert.rejects(
    startOperation(new ClusterBackend(client, readEnvironment({})), { namespace: 'argocd', name: 'web' }, () => ({
      sync: {},
    })),
    /web is already being synced, by the controller: wait with fairlead app wait web --operation, or stop it with fairlead app terminate web/,
  );
});
