import { X509Certificate } from 'node:crypto';
import { RpcError } from '../rpc/rpc-error.ts';

const maxCertificates = 256;
const maxLines = 128;

/** The certificates in a text, each as PEM. What is around them is left out. */
export function readCertificates(text: string): string[] {
  const found = text.match(/^-----BEGIN CERTIFICATE-----[\s\S]*?^-----END CERTIFICATE-----/gmu) ?? [];
  if (found.length > maxCertificates) throw new RpcError('Unknown', 'limit exceeded');
  if (found.some((pem) => pem.split('\n').length > maxLines))
    throw new RpcError('Unknown', 'maximum number of lines exceeded during certificate parsing');
  return found.map((pem) => `${pem}\n`);
}

export interface CertificateFacts {
  readonly subject: string;
  /** `rsa`, `ecdsa`, `ed25519`. */
  readonly algorithm: string;
}

/** Throws if a certificate cannot be parsed. */
export function certificateFacts(pem: string): CertificateFacts {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw new RpcError('Unknown', 'could not parse X509 data from input');
  }
  const { asymmetricKeyType = 'unknown' } = certificate.publicKey;
  const algorithm = asymmetricKeyType === 'ec' ? 'ecdsa' : asymmetricKeyType.replace(/-pss$/u, '');
  return { subject: distinguishedName(certificate.subject ?? ''), algorithm };
}

/** The attributes in the order that Go writes them in. */
const attributes = ['SERIALNUMBER', 'CN', 'POSTALCODE', 'STREET', 'ST', 'L', 'OU', 'O', 'C'];
const otherNames: Readonly<Record<string, string>> = { serialNumber: 'SERIALNUMBER', street: 'STREET' };

/** `CN=git.example.com,O=Example` from one attribute a line. */
function distinguishedName(lines: string): string {
  const given = lines.split('\n').map((line) => {
    const at = line.indexOf('=');
    const name = line.slice(0, at);
    return [otherNames[name] ?? name, line.slice(at + 1)] as const;
  });
  return attributes
    .flatMap((name) => {
      const values = given.filter(([key]) => key === name).map(([, value]) => `${name}=${value}`);
      return values.length === 0 ? [] : [values.join('+')];
    })
    .join(',');
}
