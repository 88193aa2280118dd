import { type KeyObject, X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { fn } from '../../go-template/function.ts';
import { structType } from '../../go-template/go-type.ts';
import { GoError, type GoFunction, GoObject, type GoValue, itemsOf } from '../../go-template/go-value.ts';
import { display } from '../../go-template/printf.ts';
import { messageOf } from '../../util/errors.ts';
import { decodeBase64 } from '../encoding.ts';
import type { CertificateRequest, Signer } from './certificate.ts';
import { generateKey, generateRsaKey, keyToPem, parsePrivateKey } from './keys.ts';

const require = createRequire(import.meta.url);
/** Loads an X.509 library, which takes longer than most charts take to render. */
const x509 = (): typeof import('./certificate.ts') => require('./certificate.ts');

const certificateType = structType('sprig.certificate');
const types = { certificate: certificateType };

const certificate = (cert: string, key: string): GoObject =>
  new GoObject(certificateType, {
    fields: [
      ['Cert', cert],
      ['Key', key],
    ],
  });

function field(value: GoObject, name: string): string {
  const text = value.fields.get(name);
  return typeof text === 'string' ? text : '';
}

function explained<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof GoError ? new GoError(`${what}: ${error.message}`) : error;
  }
}

function addresses(list: GoValue): string[] {
  return (itemsOf(list) ?? []).map((ip) => {
    if (typeof ip !== 'string') throw new GoError(`error parsing ip: ${display(ip)} is not a string`);
    // Go does not accept a zone.
    if (isIP(ip) === 0 || ip.includes('%')) throw new GoError(`error parsing ip: ${ip}`);
    return ip;
  });
}

function names(list: GoValue): string[] {
  return (itemsOf(list) ?? []).map((name) => {
    if (typeof name === 'string') return name;
    throw new GoError(`error processing alternate dns name: ${display(name)} is not a string`);
  });
}

/** Functions that create keys and certificates. They are nondeterministic. The validity starts at `now`. */
export function certificateFunctions(
  used: (name: string) => void,
  now: () => number,
): Readonly<Record<string, GoFunction>> {
  const make = (request: CertificateRequest, key: KeyObject, signer: Signer): GoObject =>
    certificate(x509().createCertificate(request, key, signer, now()), keyToPem(key));
  const authority = (commonName: string, days: number, key: KeyObject): GoObject =>
    make({ commonName, ips: [], dnsNames: [], days, isAuthority: true }, key, { key });
  const selfSigned = (commonName: string, ips: GoValue, dns: GoValue, days: number, key: KeyObject): GoObject =>
    make({ commonName, ips: addresses(ips), dnsNames: names(dns), days, isAuthority: false }, key, { key });
  const signed = (
    commonName: string,
    ips: GoValue,
    dns: GoValue,
    days: number,
    ca: GoObject,
    key: KeyObject,
  ): GoObject => {
    const signer = signerOf(ca);
    return make({ commonName, ips: addresses(ips), dnsNames: names(dns), days, isAuthority: false }, key, signer);
  };
  const given = (pem: string): KeyObject => explained('parsing private key', () => parsePrivateKey(pem));
  const marked = <Args extends unknown[]>(name: string, params: string, call: (...args: Args) => GoValue): GoFunction =>
    fn<Args>(
      params,
      (...args) => {
        used(name);
        return call(...args);
      },
      types,
    );
  return {
    genPrivateKey: marked('genPrivateKey', 'string', generateKey),
    genCA: marked('genCA', 'string int', (name: string, days: number) => authority(name, days, generateRsaKey())),
    genCAWithKey: marked('genCAWithKey', 'string int string', (name: string, days: number, key: string) =>
      authority(name, days, given(key)),
    ),
    genSelfSignedCert: marked(
      'genSelfSignedCert',
      'string list list int',
      (name: string, ips: GoValue, dns: GoValue, days: number) => selfSigned(name, ips, dns, days, generateRsaKey()),
    ),
    genSelfSignedCertWithKey: marked(
      'genSelfSignedCertWithKey',
      'string list list int string',
      (name: string, ips: GoValue, dns: GoValue, days: number, key: string) =>
        selfSigned(name, ips, dns, days, given(key)),
    ),
    genSignedCert: marked(
      'genSignedCert',
      'string list list int certificate',
      (name: string, ips: GoValue, dns: GoValue, days: number, ca: GoObject) =>
        signed(name, ips, dns, days, ca, generateRsaKey()),
    ),
    genSignedCertWithKey: marked(
      'genSignedCertWithKey',
      'string list list int certificate string',
      (name: string, ips: GoValue, dns: GoValue, days: number, ca: GoObject, key: string) =>
        signed(name, ips, dns, days, ca, given(key)),
    ),
    buildCustomCert: fn('string string', buildCustomCert),
  };
}

function signerOf(ca: GoObject): Signer {
  const cert = field(ca, 'Cert');
  if (!cert.includes('-----BEGIN')) throw new GoError('unable to decode certificate');
  checkCertificate(cert, 'error parsing certificate: decodedSignerCert.Bytes');
  return { certificate: cert, key: explained('error parsing private key', () => parsePrivateKey(field(ca, 'Key'))) };
}

function checkCertificate(pem: string, what: string): void {
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new GoError(`${what}: ${messageOf(error)}`);
  }
}

function buildCustomCert(base64Cert: string, base64Key: string): GoObject {
  const decoded = (text: string, what: string): string => {
    try {
      return decodeBase64(text).toString('utf8');
    } catch (error) {
      throw error instanceof GoError ? new GoError(`unable to decode base64 ${what}`) : error;
    }
  };
  const cert = decoded(base64Cert, 'certificate');
  const key = decoded(base64Key, 'private key');
  if (!cert.includes('-----BEGIN')) throw new GoError('unable to decode certificate');
  checkCertificate(cert, 'error parsing certificate: decodedCert.Bytes');
  explained('error parsing private key', () => parsePrivateKey(key));
  return certificate(cert, key);
}
