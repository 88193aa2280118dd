import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { find, isAlreadyExists, type Secret, secretType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { opaqueSecret } from '../cluster/opaque-secret.ts';
import type { Owner } from '../core/owner.ts';

const secretName = 'fairlead-principal-authority';

const day = 24 * 3_600_000;
/** The attribute serialNumber of a subject, which Node shows under this name. */
const serialNumberAttribute = '2.5.4.5';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface IssuedCertificate {
  readonly pem: string;
  readonly fingerprint: string;
  readonly expires: number;
}

export interface ServerIdentity {
  readonly key: string;
  readonly cert: string;
  readonly expires: number;
}

/** Loaded when something is to be signed. It requires the polyfill to be loaded first. */
async function library() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** The principal's certificate authority and the key of its tokens, in a Secret of the hub, so that restarts and replicas use the same. */
export class Authority {
  readonly ca: string;
  readonly tokenKey: KeyObject;
  /** Identifies the hub for as long as its authority exists. */
  readonly uid: string;
  readonly #key: KeyObject;

  private constructor(uid: string, ca: string, key: string, tokenKey: string) {
    this.uid = uid;
    this.ca = ca;
    this.#key = createPrivateKey(key);
    this.tokenKey = createPrivateKey(tokenKey);
  }

  static async load(client: ApiClient, namespace: string): Promise<Authority> {
    const secret =
      (await find(client.get<Secret>(secretType, { namespace, name: secretName }))) ?? (await make(client, namespace));
    const text = (name: string): string => Buffer.from(secret.data?.[name] ?? '', 'base64').toString();
    return new Authority(secret.metadata.uid ?? '', text('ca.crt'), text('ca.key'), text('tokens.key'));
  }

  /** Issues the client certificate of an agent: for this Agent resource, and for no other that gets its name later. */
  issueAgent({ agent, uid }: Owner, publicKey: string, days = 30, now = Date.now()): Promise<IssuedCertificate> {
    return this.#issue(
      `CN=${agent}${uid ? `,${serialNumberAttribute}=${uid}` : ''}`,
      publicKey,
      now + days * day,
      (x509) => [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
    );
  }

  async issueServer(names: readonly string[], days = 90, now = Date.now()): Promise<ServerIdentity> {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
    const { pem, expires } = await this.#issue('CN=fairlead-principal', pemOf(publicKey), now + days * day, (x509) => [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: /^[\d.]+$|:/u.test(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ]);
    return { cert: pem, key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), expires };
  }

  async #issue(
    subject: string,
    publicKey: string,
    notAfter: number,
    extensions: (
      x509: Awaited<ReturnType<typeof library>>,
    ) => ConstructorParameters<Awaited<ReturnType<typeof library>>['Extension']>[never][],
  ): Promise<IssuedCertificate> {
    const x509 = await library();
    const ca = new x509.X509Certificate(this.ca);
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: randomBytes(12).toString('hex'),
      subject,
      issuer: ca.subject,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(notAfter),
      publicKey: await crypto.subtle.importKey('spki', der(publicKey), algorithm, true, ['verify']),
      signingKey: await crypto.subtle.importKey(
        'pkcs8',
        this.#key.export({ format: 'der', type: 'pkcs8' }),
        algorithm,
        false,
        ['sign'],
      ),
      signingAlgorithm: algorithm,
      extensions: extensions(x509) as never,
    });
    const pem = certificate.toString('pem');
    return { pem, fingerprint: fingerprintOf(pem), expires: notAfter };
  }
}

/** SHA-256 of a certificate, as the blocklist contains it. */
export const fingerprintOf = (pem: string): string =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString();
const der = (pem: string): Buffer => createPublicKey(pem).export({ format: 'der', type: 'spki' });

async function make(client: ApiClient, namespace: string): Promise<Secret> {
  const x509 = await library();
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(12).toString('hex'),
    // A unique name: certificates of another hub differ by their issuer.
    name: `CN=fairlead-agents-${randomBytes(4).toString('hex')}`,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 3650 * day),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const caKey = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: caKey, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' });
  const tokens = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const secret = opaqueSecret(namespace, secretName, {
    'ca.crt': ca.toString('pem'),
    'ca.key': key.toString(),
    'tokens.key': tokens.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  });
  try {
    return await client.create<Secret>(secretType, secret);
  } catch (error) {
    // Another replica created it first.
    if (!isAlreadyExists(error)) throw error;
    return client.get<Secret>(secretType, { namespace, name: secretName });
  }
}
