import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { GoError } from '../../go-template/go-value.ts';
import { messageOf } from '../../util/errors.ts';

const require = createRequire(import.meta.url);
/** Loads an ASN.1 library, which few charts need. */
const dsa = (): typeof import('./dsa-key.ts') => require('./dsa-key.ts');

/** A private key in PEM, in the form that Sprig uses for its type. */
export function keyToPem(key: KeyObject): string {
  if (key.asymmetricKeyType === 'dsa') return dsa().dsaKeyToPem(key);
  const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8';
  return key.export({ type, format: 'pem' }).toString();
}

export const generateRsaKey = (bits = 2048): KeyObject =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey;

export function generateKey(type: string): string {
  switch (type) {
    case '':
    case 'rsa':
      return keyToPem(generateRsaKey(4096));
    case 'dsa':
      return keyToPem(generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }).privateKey);
    case 'ecdsa':
      return keyToPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    case 'ed25519':
      return keyToPem(generateKeyPairSync('ed25519').privateKey);
    default:
      return `Unknown type ${type}`;
  }
}

export function parsePrivateKey(text: string): KeyObject {
  const type = /-----BEGIN ([^-]+)-----/.exec(text)?.[1];
  if (type === undefined) throw new GoError('no PEM data in input');
  if (type !== 'PRIVATE KEY' && !type.endsWith(' PRIVATE KEY'))
    throw new GoError(`no private key data in PEM block of type ${type}`);
  const kind = type.slice(0, -' PRIVATE KEY'.length);
  if (type !== 'PRIVATE KEY' && !['RSA', 'EC', 'DSA'].includes(kind))
    throw new GoError(`invalid private key type ${type}`);
  try {
    return createPrivateKey(text);
  } catch (error) {
    const what = type === 'PRIVATE KEY' ? 'decoding PEM as PKCS#8' : `parsing ${kind} private key from PEM`;
    throw new GoError(`${what}: ${messageOf(error)}`);
  }
}
