import { createHmac } from 'node:crypto';
import { equalJson } from '@fairlead/apimachinery';
import { readAccounts } from '../../src/accounts/account.ts';
import type { Claims } from '../../src/rbac/claims.ts';
import { goError, RpcError } from '../../src/rpc/rpc-error.ts';
import { TokenError } from '../../src/session/jwt.ts';
import { verifyToken } from '../../src/session/verify-token.ts';
import { enforcerOf, projectNamed, type RbacCase, withoutLibraryWords } from './rbac-case.ts';

const secretKey = 'the-secret-key-of-this-server!!!';

export function tokenProblems(one: RbacCase): readonly string[] {
  const enforcer = enforcerOf(one);
  const context = {
    now: Date.now(),
    key: Buffer.from(secretKey),
    accounts: readAccounts({ settings: one.settings ?? {}, secret: one.secret ?? {} }),
    projectNamed: projectNamed(one),
    isRevoked: () => false,
    newId: () => 'new',
  };
  return (one.tokens ?? []).flatMap(({ claims, alg = 'HS256', key = secretKey, raw, expected }) => {
    const token = raw ?? sign(claims, alg, key);
    try {
      const verified = verifyToken(token, context);
      const decisions = (expected.decisions ?? []).map(([resource, action, object]) => [
        resource,
        action,
        object,
        enforcer.allows(verified.claims, { resource, action, object }) ? 'allow' : 'deny',
      ]);
      const ours = { claims: verified.claims, renewed: verified.renewed !== undefined };
      const same =
        equalJson(ours, { claims: expected.claims, renewed: expected.renewed }) &&
        equalJson(decisions, expected.decisions ?? []);
      return same ? [] : [`ours ${JSON.stringify({ ...ours, decisions })}, theirs ${JSON.stringify(expected)}`];
    } catch (error) {
      if (!(error instanceof TokenError || error instanceof RpcError)) throw error;
      const ours = error instanceof RpcError ? goError(error) : error.message;
      const same = withoutLibraryWords(ours) === withoutLibraryWords(expected.error ?? '');
      return same ? [] : [`ours ${ours}, theirs ${JSON.stringify(expected)}`];
    }
  });
}

function sign(claims: Claims, alg: string, key: string): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
  const hash = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }[alg];
  return `${text}.${hash ? createHmac(hash, key).update(text).digest('base64url') : ''}`;
}
