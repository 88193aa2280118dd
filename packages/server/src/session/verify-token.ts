import type { AppProject } from '@fairlead/api';
import { type Account, accountNamed, type Capability } from '../accounts/account.ts';
import type { SingleSignOn } from '../oidc/single-sign-on.ts';
import { type Claims, textClaim, timeClaim, userIdentifier } from '../rbac/claims.ts';
import { parseProjectSubject } from '../rbac/project-subject.ts';
import { parseToken, signToken, TokenError, verifySignedToken } from './jwt.ts';

export const issuer = 'argocd';

/** A session that ends sooner than this is renewed. */
const renewBeforeMs = 5 * 60_000;

/** What the validity of a token depends on. */
export interface TokenContext {
  readonly now: number;
  /** `server.secretkey`. */
  readonly key: Uint8Array;
  readonly accounts: ReadonlyMap<string, Account>;
  projectNamed(name: string): AppProject | undefined;
  isRevoked(id: string): boolean;
  newId(): string;
  /** Verifies tokens of others. */
  readonly provider?: Pick<SingleSignOn, 'accept'>;
}

export interface VerifiedToken {
  readonly claims: Claims;
  /** A new token for a session that is about to end. */
  readonly renewed?: string;
}

/** Verifies a token of this server: of a session, of an account or of a project's role. Throws a TokenError, or an RpcError for an unknown account. */
export function verifyToken(token: string, context: TokenContext): VerifiedToken {
  if (parseToken(token).claims['iss'] !== issuer) throw new TokenError('SSO is not configured');
  const claims = verifySignedToken(token, context.key, context.now);
  const issued = timeClaim(claims, 'iat');
  if ('problem' in issued) throw new TokenError(issued.problem);
  const subject = userIdentifier(claims);
  const id = textClaim(claims, 'jti');
  const project = parseProjectSubject(subject);
  if (project) {
    requireProjectToken(context.projectNamed(project.project), project, issued.seconds, id);
    return { claims };
  }
  const [name = '', given] = subject.split(':');
  const capability: Capability = given === 'login' ? 'login' : 'apiKey';
  requireAccountToken(accountNamed(context.accounts, name), { name, capability, id, issued: issued.seconds }, context);
  const renewed = capability === 'login' ? renewal(claims, name, issued.seconds, context) : undefined;
  return { claims: { ...claims, sub: name }, ...(renewed === undefined ? {} : { renewed }) };
}

interface AccountTokenUse {
  readonly name: string;
  readonly capability: Capability;
  readonly id: string;
  /** In seconds. */
  readonly issued: number;
}

function requireAccountToken(
  account: Account,
  { name, capability, id, issued }: AccountTokenUse,
  context: TokenContext,
): void {
  if (!account.enabled) throw new TokenError(`account ${name} is disabled`);
  if (!account.capabilities.includes(capability)) {
    throw new TokenError(`account ${name} does not have '${capability}' capability`);
  }
  if (id === '') {
    throw new TokenError('token does not have a unique identifier (jti claim) and cannot be validated');
  }
  if (context.isRevoked(id)) throw new TokenError('token is revoked, please re-login');
  if (capability === 'apiKey' && !account.tokens.some((token) => token.id === id)) {
    throw new TokenError(`account ${name} does not have token with id ${id}`);
  }
  if (account.passwordChangedAt !== undefined && issued * 1_000 < account.passwordChangedAt) {
    throw new TokenError('account password has changed since token issued');
  }
}

/** Tokens without an id were issued by old versions, and are known by their time. */
function requireProjectToken(
  project: AppProject | undefined,
  subject: { readonly project: string; readonly role: string },
  issued: number,
  id: string,
): void {
  if (!project) throw new TokenError(`appproject.argoproj.io "${subject.project}" not found`);
  const tokens = project.status?.jwtTokensByRole?.[subject.role]?.items ?? [];
  if (tokens.some((token) => (id !== '' && token.id === id) || token.iat === issued)) return;
  throw new TokenError(
    `JWT token for role '${subject.role}' issued at '${issued}' does not exist in project '${subject.project}'`,
  );
}

function renewal(claims: Claims, name: string, issued: number, context: TokenContext): string | undefined {
  const expires = timeClaim(claims, 'exp');
  if ('problem' in expires || expires.seconds * 1_000 - context.now >= renewBeforeMs) return undefined;
  return newToken({
    subject: `${name}:login`,
    seconds: expires.seconds - issued,
    id: context.newId(),
    now: context.now,
    key: context.key,
  });
}

export interface NewToken {
  readonly subject: string;
  /** How long it is valid; forever if 0. */
  readonly seconds: number;
  readonly id: string;
  readonly now: number;
  readonly key: Uint8Array;
}

export function newToken({ subject, seconds, id, now, key }: NewToken): string {
  const iat = Math.floor(now / 1_000);
  return signToken(
    { iss: issuer, sub: subject, ...(seconds > 0 ? { exp: iat + seconds } : {}), nbf: iat, iat, jti: id },
    key,
  );
}
