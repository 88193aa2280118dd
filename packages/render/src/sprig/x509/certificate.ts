import { createHash, createPublicKey, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { GoError } from '../../go-template/go-value.ts';
import { pem } from './pem.ts';

export interface CertificateRequest {
  readonly commonName: string;
  readonly ips: readonly string[];
  readonly dnsNames: readonly string[];
  readonly days: number;
  readonly isAuthority: boolean;
}

/** The issuer's key and, unless the certificate is self-signed, the issuer's certificate in PEM. */
export interface Signer {
  readonly key: KeyObject;
  readonly certificate?: string;
}

/** A certificate in PEM, as Go's x509.CreateCertificate builds it from Sprig's template. `now` is in milliseconds. */
export function createCertificate(request: CertificateRequest, key: KeyObject, signer: Signer, now: number): string {
  const subject = nameOf(request.commonName);
  const subjectPublicKeyInfo = publicKeyInfoOf(key);
  const { identifier, hash } = signatureAlgorithm(signer.key);
  const seconds = Math.floor(now / 1000);
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: newSerialNumber(),
    signature: identifier,
    issuer: signer.certificate === undefined ? subject : subjectOf(signer.certificate),
    validity: new Validity({
      notBefore: new Date(seconds * 1000),
      notAfter: new Date((seconds + request.days * 86_400) * 1000),
    }),
    subject,
    subjectPublicKeyInfo,
    extensions: new Extensions([...extensionsOf(request, subjectPublicKeyInfo, signer)]),
  });
  const signature = sign(hash, Buffer.from(AsnConvert.serialize(tbsCertificate)), signer.key);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: identifier,
    signatureValue: new Uint8Array(signature).buffer,
  });
  return pem('CERTIFICATE', AsnConvert.serialize(certificate));
}

/** 16 bytes whose first bits are 01: a positive number in its shortest DER form. */
function newSerialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return new Uint8Array(bytes).buffer;
}

const commonNameId = '2.5.4.3';

const nameOf = (commonName: string): Name =>
  commonName === ''
    ? new Name()
    : new Name([
        new RelativeDistinguishedName([
          new AttributeTypeAndValue({
            type: commonNameId,
            value: new AttributeValue({ utf8String: commonName }),
          }),
        ]),
      ]);

const publicKeyInfoOf = (key: KeyObject): SubjectPublicKeyInfo =>
  AsnConvert.parse(createPublicKey(key).export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);

const subjectOf = (certificate: string): Name =>
  AsnConvert.parse(new X509Certificate(certificate).raw, Certificate).tbsCertificate.subject;

function* extensionsOf(
  { isAuthority, commonName, dnsNames, ips }: CertificateRequest,
  publicKey: SubjectPublicKeyInfo,
  signer: Signer,
): Generator<Extension> {
  const usage = isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.keyEncipherment;
  yield extension(
    id_ce_keyUsage,
    true,
    new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment | usage),
  );
  yield extension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([id_kp_serverAuth, id_kp_clientAuth]));
  yield extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: isAuthority }));
  if (isAuthority) yield extension(id_ce_subjectKeyIdentifier, false, new SubjectKeyIdentifier(keyIdOf(publicKey)));
  if (signer.certificate !== undefined) {
    const keyIdentifier = new KeyIdentifier(keyIdOf(publicKeyInfoOf(signer.key)));
    yield extension(id_ce_authorityKeyIdentifier, false, new AuthorityKeyIdentifier({ keyIdentifier }));
  }
  const names = [
    ...dnsNames.map((dNSName) => new GeneralName({ dNSName })),
    ...ips.map((ip) => new GeneralName({ iPAddress: canonicalAddress(ip) })),
  ];
  if (names.length > 0) yield extension(id_ce_subjectAltName, commonName === '', new SubjectAlternativeName(names));
}

const extension = (extnID: string, critical: boolean, value: unknown): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

/** The first 20 bytes of the SHA-256 hash of the key's bits, as Go computes it. */
const keyIdOf = ({ subjectPublicKey }: SubjectPublicKeyInfo): Uint8Array =>
  createHash('sha256').update(new Uint8Array(subjectPublicKey)).digest().subarray(0, 20);

function signatureAlgorithm(key: KeyObject): { identifier: AlgorithmIdentifier; hash: string | null } {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return {
        identifier: new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null }),
        hash: 'sha256',
      };
    case 'ec':
      return { identifier: new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' }), hash: 'sha256' };
    case 'ed25519':
      return { identifier: new AlgorithmIdentifier({ algorithm: '1.3.101.112' }), hash: null };
    default:
      throw new GoError('error creating certificate: x509: only RSA, ECDSA and Ed25519 keys supported');
  }
}

/** Groups in hexadecimal; an IPv4 address in IPv6 form becomes IPv4, as in Go. */
function canonicalAddress(ip: string): string {
  if (isIP(ip) === 4) return ip;
  const text = new URL(`http://[${ip}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/u.exec(text);
  if (!mapped) return text;
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
