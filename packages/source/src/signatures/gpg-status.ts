/** The result of a signature check. */
export type SignatureResult =
  | {
      readonly good: true;
      /** Fingerprints of the signing key, and of its primary key. */
      readonly fingerprints: readonly string[];
    }
  | { readonly good: false; readonly why: string };

const bad: Readonly<Record<string, string>> = {
  BADSIG: 'has a signature that does not match its content',
  EXPSIG: 'has a signature that has expired',
  EXPKEYSIG: 'is signed with a key that has expired',
  REVKEYSIG: 'is signed with a key that was revoked',
  ERRSIG: 'is signed with an unknown key',
};

/**
 * Parses the status lines of `gpg --verify`. There must be exactly one signature: with several, one valid signature proves nothing about
 * the others.
 */
export function readStatus(output: string): SignatureResult {
  const lines = output.split('\n').flatMap((line) => {
    const [mark, word = '', ...rest] = line.trim().split(' ');
    return mark === '[GNUPG:]' ? [{ word, rest }] : [];
  });
  const results = lines.filter(({ word }) => word === 'GOODSIG' || Object.hasOwn(bad, word));
  const [result] = results;
  if (!result) return { good: false, why: 'has a signature that cannot be parsed' };
  if (results.length > 1) return { good: false, why: `has ${results.length} signatures instead of one` };
  if (result.word !== 'GOODSIG') return { good: false, why: `${bad[result.word]} (${result.rest[0] ?? '?'})` };
  const [valid, ...others] = lines.filter(({ word }) => word === 'VALIDSIG');
  if (!valid || others.length > 0) return { good: false, why: 'has a signature that is not valid' };
  const [signing = '', primary = ''] = [valid.rest[0], valid.rest[9]];
  const fingerprints = [signing, primary].filter((text) => /^[0-9A-F]{32,}$/u.test(text));
  return { good: true, fingerprints: [...new Set(fingerprints)] };
}

const digitsOf = (id: string): string => id.trim().replace(/^0x/iu, '').replaceAll(' ', '').toUpperCase();

/** Whether a text is long enough to identify one key: eight digits can be forged. */
export const isKeyId = (id: string): boolean => /^[0-9A-F]{16,64}$/u.test(digitsOf(id));

/** Whether a key matches a fingerprint or its last 16 digits, in any notation. */
export const isKey = (fingerprint: string, meant: string): boolean =>
  isKeyId(meant) && fingerprint.toUpperCase().endsWith(digitsOf(meant));
