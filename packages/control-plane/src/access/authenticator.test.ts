import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { ApiError, type KubeObject } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { TestPolicy } from '../../test/support/access-policy.ts';
import type { Draft, User } from '../resource.ts';
import { createAuthenticator } from './authenticator.ts';
import { createServiceAccountTokens } from './service-account-tokens.ts';
import { requestToken } from './token-request.ts';

const audiences = ['https://kubernetes.default.svc'];
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function setup() {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const clock: Clock = { now: () => now, after: () => () => {} };
  const store = new TestPolicy();
  const object = (kind: string, name: string, uid: string, spec?: object) =>
    ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'a', uid }, spec }) as unknown as KubeObject;
  store.put('core/serviceaccounts', object('ServiceAccount', 'robot', 'u1'));
  store.put('core/pods', object('Pod', 'p', 'p1', { serviceAccountName: 'robot', nodeName: 'n' }));
  const serviceAccounts = createServiceAccountTokens({
    privateKey,
    issuer: audiences[0]!,
    audiences,
    read: store,
    clock,
    newId: () => 'id-1',
  });
  const authenticate = createAuthenticator({
    tokens: new Map<string, User>([['tok', { name: 'admin', uid: 'admin', groups: ['system:masters'] }]]),
    serviceAccounts,
    audiences,
  });
  const request = (spec: object, metadata: object = {}) =>
    requestToken(
      serviceAccounts,
      audiences,
      { namespace: 'a', name: 'robot' },
      { metadata, spec } as unknown as Draft,
      {
        clock,
        get: (...at) => store.get(...at),
      },
    ) as unknown as { spec: Record<string, unknown>; status: { token: string; expirationTimestamp: string } };
  const as = (token: string) => authenticate({ authorization: [`Bearer ${token}`] });
  return { store, object, authenticate, request, as, pass: (seconds: number) => (now += seconds * 1000) };
}

const isRefused = (answer: User | ApiError) => answer instanceof ApiError && answer.code === 401;

test('a known token, a certificate and an anonymous request each give a user', () => {
  const { authenticate } = setup();
  assert.deepEqual(authenticate({ authorization: ['Bearer tok'] }), {
    name: 'admin',
    uid: 'admin',
    groups: ['system:masters', 'system:authenticated'],
  });
  assert.deepEqual(authenticate({}, { subject: { CN: 'eve', O: ['x', 'y'] }, fingerprint256: 'AB:CD' }), {
    name: 'eve',
    groups: ['x', 'y', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=abcd'] },
  });
  const nobody = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
  for (const authorization of [[], ['Basic abc'], ['Bearer '], ['bearer']])
    assert.deepEqual(authenticate({ authorization }), nobody);
  assert.ok(isRefused(authenticate({ authorization: ['Bearer wrong'] })));
  assert.ok(isRefused(createAuthenticator({ tokens: new Map(), audiences, anonymous: false })({})));
});

test('a TokenRequest returns a token that authenticates as the account', () => {
  const { request, as } = setup();
  const { spec, status } = request({ expirationSeconds: 3600 });
  assert.deepEqual(spec, { audiences, expirationSeconds: 3600, boundObjectRef: null });
  assert.equal(status.expirationTimestamp, '2030-01-01T01:00:00Z');
  assert.deepEqual(as(status.token), {
    name: 'system:serviceaccount:a:robot',
    uid: 'u1',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id-1'] },
  });
});

test('a token expires with its time, its account and its bound object', () => {
  const expired = setup();
  const token = expired.request({}).status.token;
  expired.pass(3600 + 59);
  assert.ok(!isRefused(expired.as(token)));
  expired.pass(2);
  assert.ok(isRefused(expired.as(token)));

  const recreated = setup();
  const old = recreated.request({}).status.token;
  recreated.store.put('core/serviceaccounts', recreated.object('ServiceAccount', 'robot', 'u2'));
  assert.ok(isRefused(recreated.as(old)));

  const bound = setup();
  const toPod = bound.request({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } }).status.token;
  assert.equal((bound.as(toPod) as User).extra?.['authentication.kubernetes.io/node-name']?.[0], 'n');
  bound.store.remove('core/pods', 'a', 'p');
  assert.ok(isRefused(bound.as(toPod)));
});

test('a token for another audience, a changed one and one of another key are refused', () => {
  const { request, as, authenticate } = setup();
  const forOthers = request({ audiences: ['vault'] }).status.token;
  assert.ok(isRefused(as(forOthers)));
  const reviewed = authenticate.reviewToken(forOthers, ['vault']);
  assert.deepEqual(reviewed instanceof Error || reviewed.audiences, ['vault']);
  const token = request({}).status.token;
  const [head, body, signature] = token.split('.') as [string, string, string];
  const other = Buffer.from(Buffer.from(body, 'base64url').toString().replaceAll('robot', 'admin')).toString(
    'base64url',
  );
  assert.ok(isRefused(as(`${head}.${other}.${signature}`)));
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  assert.ok(isRefused(as(`${none}.${body}.`)));
});

test('an invalid TokenRequest is refused with the reasons of kube-apiserver', () => {
  const { request } = setup();
  const refusal = (spec: object, metadata?: object): [number, string] => {
    try {
      request(spec, metadata);
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return [error.code, error.message];
    }
    return [0, ''];
  };
  const [code, message] = refusal({ expirationSeconds: 60 });
  assert.equal(code, 422);
  assert.match(message, /spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes$/);
  assert.equal(refusal({}, { name: 'other' })[0], 422);
  assert.equal(refusal({}, { uid: 'u9' })[0], 409);
  assert.equal(refusal({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } })[0], 404);
  assert.equal(refusal({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'other' } })[0], 409);
  assert.match(
    refusal({ boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'p' } })[1],
    /cannot bind token to object of type apps\/v1, Kind=Deployment/,
  );
});
