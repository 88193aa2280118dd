import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { readAccounts } from '../accounts/account.ts';
import { newToken, type TokenContext, verifyToken } from './verify-token.ts';

const key = Buffer.from('secret');
const now = Date.parse('2026-01-01T00:00:00Z');
const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop' },
  spec: {},
  status: { jwtTokensByRole: { ci: { items: [{ iat: now / 1_000, id: 'p1' }] } } },
};
const context: TokenContext = {
  now,
  key,
  accounts: readAccounts({
    settings: { 'accounts.ci': 'apiKey', 'accounts.alice': 'login' },
    secret: {
      'accounts.ci.tokens': '[{"id":"t1","iat":1}]',
      'accounts.alice.passwordMtime': '2025-12-01T00:00:00Z',
    },
  }),
  projectNamed: (name) => (name === 'shop' ? project : undefined),
  isRevoked: (id) => id === 'revoked',
  newId: () => 'new',
};
const issue = (subject: string, id: string, seconds = 0, at = now): string =>
  newToken({ subject, id, seconds, now: at, key });

test('a session goes on as its account', () => {
  const { claims, renewed } = verifyToken(issue('alice:login', 's1', 86_400), context);
  assert.equal(claims['sub'], 'alice');
  assert.equal(renewed, undefined);
});

test('a session that is about to end is renewed for the same time', () => {
  const token = issue('alice:login', 's1', 3_600, now - 3_500_000);
  const { renewed = '' } = verifyToken(token, context);
  assert.deepEqual(verifyToken(renewed, context).claims, {
    iss: 'argocd',
    sub: 'alice',
    exp: now / 1_000 + 3_600,
    nbf: now / 1_000,
    iat: now / 1_000,
    jti: 'new',
  });
});

for (const [what, token, message] of [
  ['expired', issue('alice:login', 's1', 60, now - 61_000), 'token has invalid claims: token is expired'],
  ['revoked', issue('alice:login', 'revoked'), 'token is revoked, please re-login'],
  [
    'older than the password',
    issue('alice:login', 's1', 0, now - 86_400_000 * 60),
    'account password has changed since token issued',
  ],
  ['deleted', issue('ci', 't2'), 'account ci does not have token with id t2'],
  ['of an account that cannot sign in so', issue('ci:login', 't1'), "account ci does not have 'login' capability"],
  ['changed', `${issue('ci', 't1')}x`, 'token signature is invalid: signature is invalid'],
  [
    'signed with another key',
    newToken({ subject: 'ci', id: 't1', seconds: 0, now, key: Buffer.from('guess') }),
    'token signature is invalid: signature is invalid',
  ],
  [
    'of a project and deleted',
    issue('proj:shop:cd', 'p1'),
    `JWT token for role 'cd' issued at '${now / 1_000}' does not exist in project 'shop'`,
  ],
] as const) {
  test(`a token that is ${what} is refused`, () => {
    assert.throws(() => verifyToken(token, context), { message });
  });
}

test('tokens of accounts and of project roles are accepted', () => {
  assert.equal(verifyToken(issue('ci:apiKey', 't1'), context).claims['sub'], 'ci');
  assert.equal(verifyToken(issue('proj:shop:ci', 'p1'), context).claims['sub'], 'proj:shop:ci');
});
