import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';

const block = /-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/g;

const blocksOf = (text: string): { type: string; pem: string }[] =>
  [...text.matchAll(block)].map(([pem, type = '']) => ({ type, pem }));

const listed = (types: readonly string[]): string => `[${types.join(' ')}]`;

/** The TLS error of this certificate and key; undefined if they match. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const certificates = blocksOf(certificate);
  const found = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (!found) return certificateProblem(certificates.map(({ type }) => type));
  const keys = blocksOf(key);
  const privateKey = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (!privateKey) return keyProblem(keys.map(({ type }) => type));
  return mismatch(found.pem, privateKey.pem);
}

function certificateProblem(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]?.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${listed(skipped)}`;
}

function keyProblem(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${listed(skipped)}`;
}

function mismatch(certificatePem: string, keyPem: string): string | undefined {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(certificatePem);
  } catch {
    return 'x509: malformed certificate';
  }
  try {
    const derived = createPublicKey(createPrivateKey(keyPem));
    return derived.equals(certificate.publicKey) ? undefined : 'tls: private key does not match public key';
  } catch {
    return 'tls: failed to parse private key';
  }
}
