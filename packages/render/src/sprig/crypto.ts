import { isUtf8 } from 'node:buffer';
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scryptSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { elementAt } from '@fairlead/apimachinery/primitives';
import { fn } from '../go-template/function.ts';
import { fromBytes, toBytes } from '../go-template/go-string.ts';
import { type GoType, named, uint64Type } from '../go-template/go-type.ts';
import { GoError, type GoFunction, type GoInt } from '../go-template/go-value.ts';
import { decodeBase64 } from './encoding.ts';

const require = createRequire(import.meta.url);
/** Loaded with the first hash: few charts need it. */
const bcrypt = (): typeof import('bcryptjs') => require('bcryptjs');

const uint32Type: GoType = { ...named('uint32', uint64Type), kind: 'uint32', bits: 32 };

const digest = (algorithm: string): GoFunction =>
  fn('string', (text: string) => createHash(algorithm).update(toBytes(text)).digest('hex'));

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

const aesKey = (password: string): Buffer => {
  const key = Buffer.alloc(32);
  toBytes(password).copy(key);
  return key;
};

function encryptAes(password: string, text: string): string {
  if (text === '') return '';
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', aesKey(password), iv);
  return Buffer.concat([iv, cipher.update(toBytes(text)), cipher.final()]).toString('base64');
}

function decryptAes(password: string, text: string): string {
  if (text === '') return '';
  const bytes = decodeBase64(text);
  if (bytes.length < 16)
    throw new GoError(`runtime error: slice bounds out of range [:16] with capacity ${bytes.length}`);
  if (bytes.length % 16 !== 0) throw new GoError('crypto/cipher: input not full blocks');
  const decipher = createDecipheriv('aes-256-cbc', aesKey(password), bytes.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  const padding = plain.at(-1);
  if (padding === undefined) throw new GoError('runtime error: index out of range [-1]');
  if (padding > plain.length)
    throw new GoError(`runtime error: slice bounds out of range [:${plain.length - padding}]`);
  return fromBytes(plain.subarray(0, plain.length - padding));
}

/** The Master Password algorithm: the templates of each kind of password, and the characters of each letter in them. */
const passwordShapes = new Map(
  Object.entries({
    maximum: 'anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno',
    long: 'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno',
    medium: 'CvcnoCvc CvcCvcno',
    short: 'Cvcn',
    basic: 'aaanaaan aannaaan aaannaaa',
    pin: 'nnnn',
  }),
);
const passwordCharacters: Readonly<Record<string, string>> = {
  V: 'AEIOU',
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  A: 'AEIOUBCDFGHJKLMNPQRSTVWXYZ',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
};

function derivePassword(counter: GoInt, kind: string, password: string, user: string, site: string): string {
  const shapes = passwordShapes.get(kind)?.split(' ');
  if (!shapes) return `cannot find password template ${kind}`;
  const seed = Buffer.from('com.lyndir.masterpassword');
  const uint32 = (n: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(n);
    return bytes;
  };
  const [userBytes, siteBytes] = [toBytes(user), toBytes(site)];
  const salt = Buffer.concat([seed, uint32(userBytes.length), userBytes]);
  const key = scryptSync(toBytes(password), salt, 64, { N: 32768, r: 8, p: 2, maxmem: 128 * 1024 * 1024 });
  const message = Buffer.concat([seed, uint32(siteBytes.length), siteBytes, uint32(Number(counter.value))]);
  const bytes = createHmac('sha256', key).update(message).digest();
  const shape = elementAt(shapes, bytes.readUInt8(0) % shapes.length);
  return [...shape]
    .map((letter, i) => {
      const characters = passwordCharacters[letter] ?? '';
      return characters[bytes.readUInt8(i + 1) % characters.length];
    })
    .join('');
}

export function cryptoFunctions(used: (name: string) => void): Readonly<Record<string, GoFunction>> {
  const hashed = (name: string, password: string): string => {
    used(name);
    const bytes = toBytes(password);
    if (bytes.length > 72) return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
    if (!isUtf8(bytes)) throw new GoError('bcrypt: a password that is not valid UTF-8 is not supported');
    const { genSaltSync, hashSync } = bcrypt();
    return hashSync(password, genSaltSync(10).replace(/^\$2b/u, '$2a'));
  };
  return {
    sha1sum: digest('sha1'),
    sha256sum: digest('sha256'),
    sha512sum: digest('sha512'),
    adler32sum: fn('string', (text: string) => String(adler32(toBytes(text)))),
    bcrypt: fn('string', (password: string) => hashed('bcrypt', password)),
    htpasswd: fn('string string', (user: string, password: string) =>
      user.includes(':') ? `invalid username: ${user}` : `${user}:${hashed('htpasswd', password)}`,
    ),
    encryptAES: fn('string string', (password: string, text: string) => {
      used('encryptAES');
      return encryptAes(password, text);
    }),
    decryptAES: fn('string string', decryptAes),
    derivePassword: fn('uint32 string string string string', derivePassword, { uint32: uint32Type }),
  };
}
