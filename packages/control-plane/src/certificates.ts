import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The keys of one control plane: its CA, its serving certificate, and the key that signs service-account tokens. */
export interface Identity {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly tokenKey: KeyObject;
  /** A new client certificate, for example for `kubectl`. */
  issueClient(user: string, groups: readonly string[]): Promise<{ cert: string; key: string }>;
}

const files = {
  ca: 'ca.crt',
  caKey: 'ca.key',
  cert: 'server.crt',
  key: 'server.key',
  tokenKey: 'service-account.key',
} as const;
type Pems = Record<keyof typeof files, string>;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const years = (count: number): Date => new Date(Date.now() + count * 365 * 24 * 3_600_000);
const usable = ['sign', 'verify'] as const;

/** Reads the identity in `dir`, or creates it there; without a directory it lasts as long as the process. */
export async function loadIdentity(dir: string | undefined): Promise<Identity> {
  const known = dir ? read(dir) : undefined;
  const pems = known ?? (await makePems());
  if (dir && !known) write(dir, pems);
  return {
    ca: pems.ca,
    cert: pems.cert,
    key: pems.key,
    tokenKey: createPrivateKey(pems.tokenKey),
    issueClient: (user, groups) => issueClient(pems, user, groups),
  };
}

function read(dir: string): Pems | undefined {
  const entries = Object.entries(files).map(([name, file]) => [name, join(dir, file)] as const);
  if (!entries.every(([, path]) => existsSync(path))) return undefined;
  return Object.fromEntries(entries.map(([name, path]) => [name, readFileSync(path, 'utf8')])) as Pems;
}

function write(dir: string, pems: Pems): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const [name, file] of Object.entries(files))
    writeFileSync(join(dir, file), pems[name as keyof Pems], { mode: 0o600 });
}

/** Loaded only to sign: a second start does not need it. Requires the polyfill to be loaded first. */
async function library() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

async function makePems(): Promise<Pems> {
  const x509 = await library();
  const [caKeys, serverKeys, tokenKeys] = await Promise.all([newKeys(), newKeys(), newKeys()]);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'CN=fairlead-ca',
    notBefore: years(-1 / 365),
    notAfter: years(10),
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const server = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=fairlead-apiserver',
    issuer: ca.subject,
    notBefore: years(-1 / 365),
    notAfter: years(10),
    publicKey: serverKeys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
        { type: 'ip', value: '10.0.0.1' },
        { type: 'dns', value: 'localhost' },
        { type: 'dns', value: 'kubernetes' },
        { type: 'dns', value: 'kubernetes.default' },
        { type: 'dns', value: 'kubernetes.default.svc' },
      ]),
    ],
  });
  return {
    ca: ca.toString('pem'),
    caKey: await keyPem(caKeys.privateKey),
    cert: server.toString('pem'),
    key: await keyPem(serverKeys.privateKey),
    tokenKey: await keyPem(tokenKeys.privateKey),
  };
}

async function issueClient(
  pems: Pems,
  user: string,
  groups: readonly string[],
): Promise<{ cert: string; key: string }> {
  const x509 = await library();
  const keys = await newKeys();
  const ca = new x509.X509Certificate(pems.ca);
  const caKey = createPrivateKey(pems.caKey).export({ format: 'der', type: 'pkcs8' });
  const signingKey = await crypto.subtle.importKey('pkcs8', caKey, algorithm, false, ['sign']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))],
    issuer: ca.subject,
    notBefore: years(-1 / 365),
    notAfter: years(1),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  return { cert: certificate.toString('pem'), key: await keyPem(keys.privateKey) };
}

const newKeys = () => crypto.subtle.generateKey(algorithm, true, [...usable]);

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64').replace(/(.{64})(?!$)/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
}

const serial = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
    .toString('hex')
    .replace(/^[89a-f]/, '1');
