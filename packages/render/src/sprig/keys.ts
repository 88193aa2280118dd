import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { GoError } from '../go-template/go-value.ts';
import { integer, pem, readElements, sequence } from './der.ts';

/** A private key in PEM, in the form that Sprig writes its kind in. */
export function keyToPem(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'pem' }) as string;
  if (key.asymmetricKeyType === 'ec') return key.export({ type: 'sec1', format: 'pem' }) as string;
  if (key.asymmetricKeyType === 'dsa') return dsaToPem(key);
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** OpenSSL's old form, which Node does not write: version, p, q, g, y, x. */
function dsaToPem(key: KeyObject): string {
  const inside = (der: Buffer): Buffer[] => readElements(der).map(({ content }) => content);
  const [, algorithm, privateValue] = inside(inside(key.export({ type: 'pkcs8', format: 'der' }))[0]!);
  const [p, q, g] = inside(inside(algorithm!)[1]!);
  const [, bits] = inside(inside(createPublicKey(key).export({ type: 'spki', format: 'der' }))[0]!);
  const [x, y] = [inside(privateValue!)[0], inside(bits!.subarray(1))[0]];
  const numbers = [Buffer.of(0), p!, q!, g!, y!, x!];
  return pem('DSA PRIVATE KEY', sequence(...numbers.map(integer)));
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
    throw new GoError(`${what}: ${(error as Error).message}`);
  }
}
