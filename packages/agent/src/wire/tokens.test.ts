import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { Tokens, tokenExpired } from './tokens.ts';

const keyOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const subject = { clientID: 'edge', mode: 'managed' } as const;
const clock = new VirtualClock();
const tokens = new Tokens(keyOf(), clock);
const problemOf = (token: string, use: 'access' | 'refresh' = 'access'): string => {
  const read = tokens.read(token, use);
  return 'problem' in read ? read.problem : '';
};

test('a token is accepted by the principal that issued it, for its purpose', () => {
  const token = tokens.issue(subject, 'access', 60);
  assert.deepEqual(tokens.read(token, 'access'), { subject, until: Math.floor(clock.now() / 1000) * 1000 + 60_000 });
  assert.match(problemOf(token, 'refresh'), /another issuer or audience/);
  assert.match(problemOf(tokens.issue(subject, 'refresh', 60)), /another issuer or audience/);
});

test('a token of another key and one with changed claims are refused', () => {
  assert.match(problemOf(new Tokens(keyOf(), clock).issue(subject, 'access', 60)), /was not issued by this principal/);
  const [head = '', body = '', signature = ''] = tokens.issue(subject, 'access', 60).split('.');
  const claims = Buffer.from(body, 'base64url').toString().replace('edge', 'east');
  const changed = [head, Buffer.from(claims).toString('base64url'), signature].join('.');
  assert.match(problemOf(changed), /was not issued by this principal/);
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
  assert.match(problemOf([unsigned, body, ''].join('.')), /not signed with RS512/);
});

test('a token expires', async () => {
  const token = tokens.issue(subject, 'access', 60);
  await clock.advance(59_000);
  assert.equal(problemOf(token), '');
  await clock.advance(2_000);
  assert.equal(problemOf(token), tokenExpired);
});
