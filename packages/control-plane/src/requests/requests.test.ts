import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import { deleteOptions, listOptions, writeOptions } from './options.ts';
import { parsePath, verbOf } from './request-info.ts';

const paths: readonly [path: string, parts: object | undefined][] = [
  ['/api/v1/pods', { group: '', version: 'v1', namespace: '', plural: 'pods', name: '', subresource: '' }],
  ['/api/v1/namespaces/a/pods/p/log', { namespace: 'a', plural: 'pods', name: 'p', subresource: 'log' }],
  ['/api/v1/namespaces/a', { namespace: '', plural: 'namespaces', name: 'a', subresource: '' }],
  ['/api/v1/namespaces/a/status', { namespace: '', plural: 'namespaces', name: 'a', subresource: 'status' }],
  ['/api/v1/namespaces/a/finalize', { namespace: '', plural: 'namespaces', name: 'a', subresource: 'finalize' }],
  ['/apis/apps/v1/namespaces/a/deployments/d', { group: 'apps', version: 'v1', plural: 'deployments', name: 'd' }],
  ['/api/v1/watch/namespaces/a/pods', { legacyWatch: true, namespace: 'a', plural: 'pods' }],
  ['/api/v1/namespaces/a/pods/p/proxy/x/y', { subresource: 'proxy', rest: ['x', 'y'] }],
  ['/apis/apps/v1', undefined],
  ['/healthz', undefined],
  ['/api/v1/pods/%', undefined],
];

test('a path is parsed into its resource, name and subresource', () => {
  for (const [path, parts] of paths) {
    const info = parsePath(path);
    if (!parts) assert.equal(info.kind, 'non-resource', path);
    else assert.partialDeepStrictEqual(info, { kind: 'resource', ...parts }, path);
  }
});

test('the RBAC verb follows from method and path', () => {
  const verb = (method: string, path: string, watching = false) => {
    const info = parsePath(path);
    assert.equal(info.kind, 'resource');
    return info.kind === 'resource' ? verbOf(method, info, watching) : '';
  };
  assert.equal(verb('GET', '/api/v1/pods'), 'list');
  assert.equal(verb('GET', '/api/v1/pods', true), 'watch');
  assert.equal(verb('GET', '/api/v1/namespaces/a/pods/p'), 'get');
  assert.equal(verb('DELETE', '/api/v1/namespaces/a/pods'), 'deletecollection');
  assert.equal(verb('POST', '/api/v1/namespaces/a/pods'), 'create');
});

const refused = (code: number, message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === code && message.test(error.message);

test('invalid options are refused by name', () => {
  const query = (text: string) => new URLSearchParams(text);
  assert.throws(() => writeOptions('CreateOptions', query('dryRun=Some')), refused(422, /dryRun/));
  assert.throws(() => writeOptions('CreateOptions', query('fieldValidation=strict')), refused(422, /fieldValidation/));
  assert.throws(() => writeOptions('PatchOptions', query(''), true), refused(422, /fieldManager: Required value/));
  assert.throws(() => writeOptions('PatchOptions', query('force=true')), refused(422, /force: Forbidden/));
  assert.throws(() => listOptions(query('limit=x'), false), refused(400, /ParseInt/));
  assert.throws(
    () => listOptions(query('watch=1&sendInitialEvents=true'), false),
    refused(422, /resourceVersionMatch/),
  );
  assert.throws(() => listOptions(query('resourceVersionMatch=Exact'), false), refused(422, /resourceVersionMatch/));
  assert.throws(() => deleteOptions(query('propagationPolicy=Maybe'), undefined), refused(422, /propagationPolicy/));
  assert.throws(() => deleteOptions(query(''), { gracePeriodSeconds: 'x' }), refused(400, /gracePeriodSeconds/));
});

test('the options of a delete come from its body if it has one', () => {
  const query = new URLSearchParams('propagationPolicy=Foreground');
  assert.deepEqual(deleteOptions(query, undefined), { dryRun: false, propagation: 'Foreground' });
  assert.deepEqual(
    deleteOptions(query, { orphanDependents: true, gracePeriodSeconds: 0, preconditions: { uid: 'u' } }),
    {
      dryRun: false,
      propagation: 'Orphan',
      graceSeconds: 0,
      uid: 'u',
    },
  );
});
