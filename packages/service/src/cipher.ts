import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets at rest. `place` names the row and column: a text that is copied to another row cannot be decrypted. */
export interface Cipher {
  encrypt(text: string, place: string): string;
  /** Throws a `DecryptionError` if the text was encrypted with another key, or is damaged. */
  decrypt(sealed: string, place: string): string;
}

/** The content of a row is invalid, and a retry does not help: the row must be written again. */
export class DecryptionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DecryptionError';
  }
}

const version = 'v1';
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/**
 * AES-256-GCM with envelope encryption: each text has its own key, which is encrypted with the master key. The result contains the id of
 * the master key, so that a text of another key is recognized.
 */
export function createCipher(secret: string): Cipher {
  if (secret.length < 16) throw new Error('the key that encrypts credentials is too short: use at least 16 characters');
  const master = Buffer.from(hkdfSync('sha256', secret, 'fairlead', 'credentials', keyBytes));
  const id = createHash('sha256').update(master).digest('hex').slice(0, 8);
  return {
    encrypt(text, place) {
      const key = randomBytes(keyBytes);
      const wrapped = seal(master, key, `${id} ${place}`);
      const body = seal(key, Buffer.from(text), place);
      return [version, id, wrapped.toString('base64'), body.toString('base64')].join('.');
    },
    decrypt(sealed, place) {
      const [form, keyId, wrapped = '', body = ''] = sealed.split('.');
      if (form !== version) throw new DecryptionError(`${place} is damaged, or was written by a newer version`);
      if (keyId !== id)
        throw new DecryptionError(
          `${place} was encrypted with another key (${keyId}, and this process has ${id}): give all processes the same FAIRLEAD_KEY`,
        );
      const key = open(master, Buffer.from(wrapped, 'base64'), `${id} ${place}`, place);
      return open(key, Buffer.from(body, 'base64'), place, place).toString();
    },
  };
}

/** The JSON value in a row; undefined if it cannot be read. */
export function readSealed(cipher: Cipher, sealed: string, place: string): unknown {
  try {
    return JSON.parse(cipher.decrypt(sealed, place));
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}

function seal(key: Buffer, text: Buffer, place: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function open(key: Buffer, sealed: Buffer, context: string, place: string): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes));
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    throw new DecryptionError(`${place} was changed, or belongs to another row`);
  }
}
