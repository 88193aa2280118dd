import { hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { type Claims, readClaims } from '../rbac/claims.ts';

/** What a value is sealed for. One that was sealed for another purpose cannot be opened. */
export type SealPurpose = 'sign-in state' | 'provider session';

const keyFor = (secret: Uint8Array, purpose: SealPurpose): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `fairlead ${purpose}`, 32));

/** Encrypts and authenticates values that the browser keeps for the server. */
export function seal(
  value: Readonly<Record<string, unknown>>,
  { secret, purpose, expires }: { secret: Uint8Array; purpose: SealPurpose; expires: number },
): Promise<string> {
  return new EncryptJWT({ ...value })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(Math.floor(expires / 1_000))
    .encrypt(keyFor(secret, purpose));
}

/** Undefined if it was not sealed by this installation for this purpose, or has expired. */
export async function unseal(
  text: string,
  { secret, purpose, now }: { secret: Uint8Array; purpose: SealPurpose; now: number },
): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtDecrypt(text, keyFor(secret, purpose), {
      currentDate: new Date(now),
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return readClaims(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
