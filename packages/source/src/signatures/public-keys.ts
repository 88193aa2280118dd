/** A public key as `gpg` describes it. */
export interface PublicKey {
  /** The last 16 digits of the fingerprint. */
  readonly id: string;
  readonly fingerprint: string;
  /** The first identity: `Ann <ann@example.com>`. */
  readonly owner: string;
  readonly trust: string;
  /** `rsa4096`, `ed25519`. */
  readonly subType: string;
}

const trustNames: Readonly<Record<string, string>> = {
  n: 'never',
  m: 'marginal',
  f: 'full',
  u: 'ultimate',
  r: 'revoked',
  e: 'expired',
  i: 'invalid',
};

const algorithms: Readonly<Record<string, string>> = { 1: 'rsa', 2: 'rsa', 3: 'rsa', 16: 'elg', 17: 'dsa' };

/** Reads the keys in the output of `gpg --with-colons --list-keys`. Subkeys belong to the key before them. */
export function readPublicKeys(output: string): PublicKey[] {
  const keys: { -readonly [K in keyof PublicKey]: PublicKey[K] }[] = [];
  let isPrimary = false;
  for (const line of output.split('\n')) {
    const fields = line.split(':');
    const [record = '', validity = '', length = '', algorithm = ''] = fields;
    const key = keys.at(-1);
    if (record === 'pub') {
      const subType = algorithms[algorithm] === undefined ? (fields[16] ?? '') : `${algorithms[algorithm]}${length}`;
      keys.push({ id: '', fingerprint: '', owner: '', trust: 'unknown', subType });
      isPrimary = true;
    } else if (record === 'sub') isPrimary = false;
    else if (record === 'fpr' && isPrimary && key) {
      key.fingerprint = fields[9] ?? '';
      key.id = key.fingerprint.slice(-16);
    } else if (record === 'uid' && key && key.owner === '') {
      key.owner = unescaped(fields[9] ?? '');
      key.trust = trustNames[validity] ?? 'unknown';
    }
  }
  return keys;
}

/** gpg writes `\x3a` for a colon. */
const unescaped = (text: string): string =>
  text.replace(/\\x([\da-f]{2})/giu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
