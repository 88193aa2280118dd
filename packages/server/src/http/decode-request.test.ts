import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '@fairlead/apimachinery';
import { routes } from '../messages/routes.ts';
import { decodeRequest } from './decode-request.ts';

test('times of a query are texts, or seconds', () => {
  const route = must(
    routes.find(({ call }) => call === 'Application.PodLogs'),
    'route',
  );
  const sinceTime = (query: string): unknown =>
    decodeRequest(route, { pathValues: [[['name'], 'web']], query: new URLSearchParams(query), body: '' })['sinceTime'];
  assert.equal(sinceTime('sinceTime=2024-01-02T03:04:05Z'), '2024-01-02T03:04:05Z');
  assert.equal(sinceTime('sinceTime.seconds=1704164645&sinceTime.nanos=5'), '2024-01-02T03:04:05Z');
  assert.throws(() => sinceTime('sinceTime.seconds=x'), /ParseInt/u);
  assert.throws(() => sinceTime('sinceTime.seconds=9999999999999999'), /out of range/u);
});

test('a query cannot set a message as a whole, nor fields of a repeated one', () => {
  const decode = (call: string, query: string): unknown => {
    const route = must(
      routes.find((one) => one.call === call),
      'route',
    );
    return decodeRequest(route, { pathValues: [], query: new URLSearchParams(query), body: '' });
  };
  assert.throws(() => decode('Cluster.List', 'id=x'), /^RpcError: field type \*cluster\.ClusterID is not supported/u);
  assert.throws(() => decode('Application.List', 'project.x=1'), /unexpected repeated field in project\.x/u);
  assert.deepEqual(decode('Cluster.List', 'id.value=x'), { id: { value: 'x' } });
  assert.deepEqual(decode('Application.List', 'project=a&project=b'), { project: ['a', 'b'] });
});
