import { createHash, createPublicKey, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { GoError } from '../go-template/go-value.ts';
import {
  bitString,
  boolean,
  element,
  integer,
  nothing,
  objectId,
  octetString,
  pem,
  readElements,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from './der.ts';

export interface CertificateRequest {
  readonly commonName: string;
  readonly ips: readonly string[];
  readonly dnsNames: readonly string[];
  readonly days: number;
  readonly isAuthority: boolean;
}

/** Who signs: its key and, unless it signs itself, its certificate in PEM. */
export interface Signer {
  readonly key: KeyObject;
  readonly certificate?: string;
}

const extension = (id: string, critical: boolean, content: Buffer): Buffer =>
  sequence(objectId(id), ...(critical ? [boolean(true)] : []), octetString(content));

const nameOf = (commonName: string): Buffer =>
  commonName === '' ? sequence() : sequence(set(sequence(objectId('2.5.4.3'), utf8String(commonName))));

/** A certificate in PEM for a key, as Go's x509.CreateCertificate makes it of Sprig's template. */
export function createCertificate(request: CertificateRequest, key: KeyObject, signer: Signer, now: number): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const issuer = signer.certificate ? new X509Certificate(signer.certificate) : undefined;
  const authorityKeyId = issuer
    ? keyIdOf(createPublicKey(signer.key).export({ type: 'spki', format: 'der' }))
    : undefined;
  const algorithm = signatureAlgorithm(signer.key);
  const body = sequence(
    tagged(0, integer(Buffer.of(2))),
    integer(randomBytes(16)),
    algorithm.id,
    issuer ? subjectOf(issuer) : nameOf(request.commonName),
    sequence(time(new Date(now)), time(new Date(now + request.days * 86_400_000))),
    nameOf(request.commonName),
    publicKey,
    tagged(3, sequence(...extensionsOf(request, publicKey, authorityKeyId))),
  );
  const signature = sign(algorithm.hash, body, signer.key);
  return pem('CERTIFICATE', sequence(body, algorithm.id, bitString(signature)));
}

function extensionsOf(request: CertificateRequest, publicKey: Buffer, authorityKeyId: Buffer | undefined): Buffer[] {
  const usage = request.isAuthority ? Buffer.of(0xa4) : Buffer.of(0xa0);
  const names = [
    ...request.dnsNames.map((name) => element(0x82, Buffer.from(name, 'utf8'))),
    ...request.ips.map((ip) => element(0x87, addressBytes(ip))),
  ];
  const extended = sequence(objectId('1.3.6.1.5.5.7.3.1'), objectId('1.3.6.1.5.5.7.3.2'));
  return [
    extension('2.5.29.15', true, bitString(usage, request.isAuthority ? 2 : 5)),
    extension('2.5.29.37', false, extended),
    extension('2.5.29.19', true, request.isAuthority ? sequence(boolean(true)) : sequence()),
    ...(request.isAuthority ? [extension('2.5.29.14', false, octetString(keyIdOf(publicKey)))] : []),
    ...(authorityKeyId ? [extension('2.5.29.35', false, sequence(element(0x80, authorityKeyId)))] : []),
    ...(names.length > 0 ? [extension('2.5.29.17', request.commonName === '', sequence(...names))] : []),
  ];
}

/** The first 20 bytes of the hash of the key's bits. */
function keyIdOf(publicKey: Buffer): Buffer {
  const bits = readElements(readElements(publicKey)[0]!.content)[1]!.content.subarray(1);
  return createHash('sha256').update(bits).digest().subarray(0, 20);
}

function subjectOf(certificate: X509Certificate): Buffer {
  const body = readElements(readElements(certificate.raw)[0]!.content)[0]!;
  const parts = readElements(body.content);
  const afterVersion = parts[0]!.tag === 0xa0 ? parts.slice(1) : parts;
  return afterVersion[4]!.whole;
}

function signatureAlgorithm(key: KeyObject): { id: Buffer; hash: string | null } {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return { id: sequence(objectId('1.2.840.113549.1.1.11'), nothing), hash: 'sha256' };
    case 'ec':
      return { id: sequence(objectId('1.2.840.10045.4.3.2')), hash: 'sha256' };
    case 'ed25519':
      return { id: sequence(objectId('1.3.101.112')), hash: null };
    default:
      throw new GoError('error creating certificate: x509: only RSA, ECDSA and Ed25519 keys supported');
  }
}

function addressBytes(ip: string): Buffer {
  if (isIP(ip) === 4) return Buffer.from(ip.split('.').map(Number));
  const [head = '', tail] = ip.split('::') as [string, string?];
  const groups = (text: string): number[] =>
    text === ''
      ? []
      : text.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [a * 256 + b, c * 256 + d];
        });
  const [before, after] = [groups(head), tail === undefined ? [] : groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
