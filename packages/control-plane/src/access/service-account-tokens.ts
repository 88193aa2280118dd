import { createHash, createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import type { KubeObject } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import type { User } from '../resource.ts';
import type { AccessReads } from './authorizer.ts';
import { extraKeys, serviceAccountGroups, serviceAccountName } from './users.ts';

/** An object that a token is bound to. */
export interface BoundTo {
  readonly name: string;
  readonly uid: string;
}

export interface TokenContents {
  readonly serviceAccount: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly pod?: BoundTo;
  readonly secret?: BoundTo;
  readonly node?: { readonly name: string; readonly uid?: string };
}

export interface Verified {
  readonly user: User;
  readonly audiences: readonly string[];
}

export interface ServiceAccountTokens {
  issue(contents: TokenContents): string;
  /** Undefined if the token is not one of ours; throws an Error with the message of kube-apiserver if it is, but is no longer valid. */
  verify(token: string, audiences: readonly string[]): Verified | undefined;
  /** The public key as a JSON Web Key, for `/openid/v1/jwks`. */
  readonly jwk: Readonly<Record<string, string>>;
  readonly issuer: string;
  readonly algorithm: string;
}

export interface TokenOptions {
  /** RSA (RS256) or P-256 (ES256). The caller keeps it across restarts: tokens become invalid without it. */
  readonly privateKey: KeyObject;
  readonly issuer: string;
  /** Those of the API server itself: a token must have at least one of them. */
  readonly audiences: readonly string[];
  readonly read: AccessReads;
  readonly clock: Clock;
  readonly newId?: () => string;
}

interface Claims {
  iss: string;
  sub: string;
  aud?: string | string[];
  exp?: number;
  nbf?: number;
  iat?: number;
  jti?: string;
  'kubernetes.io'?: {
    namespace?: string;
    serviceaccount?: { name?: string; uid?: string };
    pod?: { name?: string; uid?: string };
    secret?: { name?: string; uid?: string };
    node?: { name?: string; uid?: string };
  };
}

/** The accepted difference between the clocks of issuer and reader. */
const leewaySeconds = 60;

/** Signed JWTs for service accounts, as issued by the token controller of a real server. */
export function createServiceAccountTokens(options: TokenOptions): ServiceAccountTokens {
  const { privateKey, issuer, read, clock } = options;
  const newId = options.newId ?? randomUUID;
  const publicKey = createPublicKey(privateKey);
  const algorithm = privateKey.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
  const keyId = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  const header = encode({ alg: algorithm, kid: keyId });
  const dsaEncoding = 'ieee-p1363';
  const seconds = () => Math.floor(clock.now() / 1000);
  const signatures = new RecentlyVerified(2_000);

  return {
    issuer,
    algorithm,
    jwk: { ...(publicKey.export({ format: 'jwk' }) as Record<string, string>), use: 'sig', kid: keyId, alg: algorithm },

    issue({ serviceAccount, audiences, expirationSeconds, pod, secret, node }) {
      const now = seconds();
      const claims: Claims = {
        aud: [...audiences],
        exp: now + expirationSeconds,
        iat: now,
        iss: issuer,
        jti: newId(),
        'kubernetes.io': {
          namespace: serviceAccount.namespace,
          ...(node ? { node: { ...node } } : {}),
          ...(pod ? { pod: { ...pod } } : {}),
          ...(secret ? { secret: { ...secret } } : {}),
          serviceaccount: { name: serviceAccount.name, uid: serviceAccount.uid },
        },
        nbf: now,
        sub: serviceAccountName(serviceAccount.namespace, serviceAccount.name),
      };
      const body = `${header}.${encode(claims)}`;
      return `${body}.${sign('sha256', Buffer.from(body), { key: privateKey, dsaEncoding }).toString('base64url')}`;
    },

    verify(token, audiences) {
      const parts = token.split('.');
      const claims = parts.length === 3 ? decode(parts[1]!) : undefined;
      if (claims?.iss !== issuer) return undefined;
      const valid = signatures.check(token, () =>
        verify(
          'sha256',
          Buffer.from(`${parts[0]}.${parts[1]}`),
          { key: publicKey, dsaEncoding },
          Buffer.from(parts[2]!, 'base64url'),
        ),
      );
      if (!valid || decodeHeader(parts[0]!) !== algorithm) throw new Error('invalid signature, no keys found');
      const own = claims.aud === undefined ? options.audiences : [claims.aud].flat();
      const shared = own.filter((audience) => audiences.includes(audience));
      if (shared.length === 0)
        throw new Error(`token audiences ${quoted(own)} is invalid for the target audiences ${quoted(audiences)}`);
      checkTimes(claims, seconds());
      return { user: checkReferences(claims, read, clock.now()), audiences: shared };
    },
  };
}

function checkTimes(claims: Claims, now: number): void {
  if (claims.nbf !== undefined && now + leewaySeconds < claims.nbf)
    throw new Error('service account token is not valid yet');
  if (claims.exp !== undefined && now - leewaySeconds > claims.exp)
    throw new Error('service account token has expired');
  if (claims.iat !== undefined && now + leewaySeconds < claims.iat)
    throw new Error('service account token is issued in the future');
}

function checkReferences(claims: Claims, read: AccessReads, now: number): User {
  const own = claims['kubernetes.io'] ?? {};
  const namespace = own.namespace ?? '';
  const name = own.serviceaccount?.name ?? '';
  const uid = own.serviceaccount?.uid ?? '';
  const account = read.get('core/serviceaccounts', namespace, name);
  if (!account) throw new Error(`serviceaccounts ${JSON.stringify(name)} not found`);
  if (account.metadata.uid !== uid)
    throw new Error(`service account UID (${account.metadata.uid ?? ''}) does not match claim (${uid})`);
  if (isGone(account, now)) throw new Error(`service account ${namespace}/${name} has been deleted`);

  const needs = (kind: string, resource: string, home: string, ref: { name?: string; uid?: string } | undefined) => {
    if (!ref) return;
    const object = read.get(resource, home, ref.name ?? '');
    if (!object || isGone(object, now)) throw new Error('service account token has been invalidated');
    if (object.metadata.uid !== ref.uid)
      throw new Error(
        `${kind} UID (${object.metadata.uid ?? ''}) does not match service account ${kind.toLowerCase()} ref claim (${ref.uid ?? ''})`,
      );
  };
  needs('secret', 'core/secrets', namespace, own.secret);
  needs('pod', 'core/pods', namespace, own.pod);
  // With a pod, the node is only informational; the token is valid as long as the pod exists.
  if (!own.pod) needs('node', 'core/nodes', '', own.node);

  const extra: Record<string, string[]> = {};
  const addExtra = (key: string, value: string | undefined) => {
    if (value) extra[key] = [value];
  };
  addExtra(extraKeys.podName, own.pod?.name);
  addExtra(extraKeys.podUid, own.pod?.uid);
  addExtra(extraKeys.credentialId, claims.jti && `JTI=${claims.jti}`);
  addExtra(extraKeys.nodeName, own.node?.name);
  addExtra(extraKeys.nodeUid, own.node?.name && own.node.uid);
  return { name: serviceAccountName(namespace, name), uid, groups: serviceAccountGroups(namespace), extra };
}

function isGone(object: KubeObject, now: number): boolean {
  const at = object.metadata.deletionTimestamp;
  return at !== undefined && Date.parse(at) < now - leewaySeconds * 1000;
}

const quoted = (list: readonly string[]): string => `[${list.map((item) => JSON.stringify(item)).join(' ')}]`;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(part: string): Claims | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return claims !== null && typeof claims === 'object' ? (claims as Claims) : undefined;
  } catch {
    return undefined;
  }
}

const decodeHeader = (part: string): unknown => (decode(part) as { alg?: unknown } | undefined)?.alg;

/** Verifying a signature takes a tenth of a millisecond, and a client sends the same token with every request. */
class RecentlyVerified {
  readonly #limit: number;
  readonly #good = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  check(token: string, verifySignature: () => boolean): boolean {
    if (this.#good.has(token)) return true;
    if (!verifySignature()) return false;
    if (this.#good.size >= this.#limit) this.#good.clear();
    this.#good.add(token);
    return true;
  }
}
