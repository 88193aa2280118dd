import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentRequests } from '../../test/support/sent-requests.ts';
import { decodeRequest, encodeResponse } from './codec.ts';
import { grpcMethods, pathOf } from './methods.ts';

const methodAt = (path: string) => {
  const found = grpcMethods.find((method) => pathOf(method) === path);
  assert.ok(found, path);
  return found;
};

for (const { command, path, body, message } of sentRequests) {
  test(`the request of argocd ${command} is read`, () => {
    assert.deepEqual(decodeRequest(methodAt(path), Buffer.from(body, 'base64')), message);
  });
}

/** As argocd reads them. */
for (const [path, response, bytes] of [
  ['/session.SessionService/Create', { token: 'a.b.c' }, '0a05612e622e63'],
  [
    '/application.ApplicationService/PodLogs',
    { content: 'line', timeStampStr: '2024-01-02T03:04:05Z', timeStamp: '2024-01-02T03:04:05Z', podName: 'p' },
    '0a046c696e65120808a5facdac06100018002214323032342d30312d30325430333a30343a30355a2a0170',
  ],
  [
    '/application.ApplicationService/Watch',
    { type: 'ADDED', application: { metadata: { name: 'a', labels: { b: 'c' } }, spec: { project: 'default' } } },
    '0a054144444544122e0a0b0a01615a060a0162120163120b12001a0764656661756c741a12120a0a0012060a020a0012001a0052007200',
  ],
] as const) {
  test(`the bytes of a response of ${path} do not change`, () => {
    assert.equal(encodeResponse(methodAt(path), response).toString('hex'), bytes);
  });
}
