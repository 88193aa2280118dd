import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Certificate } from './certificate.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 24 * 3_600_000;

/** Loaded only when a certificate is to be signed. Its container wants the polyfill first. */
async function library() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** A certificate for these names, valid for a year. */
export async function selfSigned(names: readonly string[], now: number): Promise<Certificate> {
  const x509 = await library();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // The first bit is 0: serial numbers are positive.
    serialNumber: `1${randomBytes(12).toString('hex').slice(1)}`,
    name: 'O=Argo CD',
    notBefore: new Date(now - day),
    notAfter: new Date(now + 365 * day),
    keys: {
      privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      publicKey: await crypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
    },
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
    ],
  });
  return {
    cert: certificate.toString('pem'),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}
