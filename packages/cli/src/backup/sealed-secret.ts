import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { isKubeObject, type JsonObject, type KubeObject, textAt, toJson } from '@fairlead/apimachinery';
import { CliError } from '../cli-error.ts';

const apiVersion = 'backup.fairlead.dev/v1';
const kind = 'SealedSecret';
const lengths = { salt: 16, iv: 12, tag: 16, key: 32 } as const;

const keyOf = (passphrase: string, salt: Buffer): Buffer => scryptSync(passphrase, salt, lengths.key);

export const isSealed = (object: KubeObject): boolean => object.apiVersion === apiVersion && object.kind === kind;

/** A Secret that only the passphrase opens: AES-256-GCM with a key from scrypt. Its name stays readable. */
export function seal(secret: KubeObject, passphrase: string): KubeObject & JsonObject {
  const [salt, iv] = [randomBytes(lengths.salt), randomBytes(lengths.iv)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(secret)), cipher.final()]);
  const { name, namespace } = secret.metadata;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { apiVersion, kind, metadata, data: Buffer.concat([salt, iv, cipher.getAuthTag(), text]).toString('base64') };
}

export function unseal(sealed: KubeObject & JsonObject, passphrase: string): KubeObject & JsonObject {
  const bytes = Buffer.from(textAt(sealed, 'data'), 'base64');
  const at = (from: number, length?: number): Buffer =>
    bytes.subarray(from, length === undefined ? undefined : from + length);
  const salt = at(0, lengths.salt);
  const iv = at(lengths.salt, lengths.iv);
  const tag = at(lengths.salt + lengths.iv, lengths.tag);
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase, salt), iv, { authTagLength: lengths.tag });
    decipher.setAuthTag(tag);
    const text = Buffer.concat([decipher.update(at(lengths.salt + lengths.iv + lengths.tag)), decipher.final()]);
    const object = toJson(JSON.parse(text.toString('utf8')));
    if (isKubeObject(object)) return object;
  } catch {
    // The same message for a wrong passphrase and for changed bytes: nothing distinguishes them.
  }
  throw new CliError(
    `Secret ${sealed.metadata.namespace}/${sealed.metadata.name} cannot be opened: FAIRLEAD_PASSPHRASE is not the one of the export`,
  );
}
