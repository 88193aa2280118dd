/** bcrypt as golang.org/x/crypto writes it: `$2a$10$` and 53 characters. */
import { randomBytes } from 'node:crypto';

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The first words of the fractional part of pi, which is what Blowfish starts from. */
function piWords(count: number): Uint32Array {
  const bits = BigInt(count * 32 + 64);
  const one = 1n << bits;
  const arctan = (inverse: bigint): bigint => {
    let term = one / inverse;
    let sum = term;
    const square = inverse * inverse;
    for (let n = 3n, negative = true; term !== 0n; n += 2n, negative = !negative) {
      term /= square;
      sum += negative ? -(term / n) : term / n;
    }
    return sum;
  };
  let fraction = (4n * (4n * arctan(5n) - arctan(239n)) - 3n * one) >> 64n;
  const words = new Uint32Array(count);
  for (let i = count - 1; i >= 0; i--) {
    words[i] = Number(fraction & 0xffffffffn);
    fraction >>= 32n;
  }
  return words;
}

const subkeyCount = 18;
let initialState: Uint32Array | undefined;

/** Blowfish's subkeys, then its four boxes of 256 words. */
class Blowfish {
  private readonly state: Uint32Array;
  private left = 0;
  private right = 0;

  constructor() {
    initialState ??= piWords(subkeyCount + 1024);
    this.state = initialState.slice();
  }

  encipher(left: number, right: number): void {
    const s = this.state;
    let [l, r] = [left, right];
    for (let i = 0; i < 16; i++) {
      l ^= s[i]!;
      const a = (s[18 + (l >>> 24)]! + s[274 + ((l >>> 16) & 255)]!) | 0;
      r ^= ((a ^ s[530 + ((l >>> 8) & 255)]!) + s[786 + (l & 255)]!) | 0;
      const swapped = l;
      l = r;
      r = swapped;
    }
    this.left = r ^ s[17]!;
    this.right = l ^ s[16]!;
  }

  /** Mixes a key into the subkeys, then replaces all of the state by what it enciphers, salted or not. */
  expand(key: Uint8Array, salt?: Uint32Array): void {
    const s = this.state;
    for (let i = 0, at = 0; i < subkeyCount; i++) {
      let word = 0;
      for (let j = 0; j < 4; j++, at = (at + 1) % key.length) word = (word << 8) | key[at]!;
      s[i]! ^= word;
    }
    this.left = this.right = 0;
    for (let i = 0; i < s.length; i += 2) {
      const offset = i % 4;
      this.encipher(this.left ^ (salt?.[offset] ?? 0), this.right ^ (salt?.[offset + 1] ?? 0));
      s[i] = this.left;
      s[i + 1] = this.right;
    }
  }

  block(left: number, right: number): [number, number] {
    this.encipher(left, right);
    return [this.left, this.right];
  }
}

function encode(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    out += alphabet[a >> 2]! + alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    if (b !== undefined) out += alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)]!;
    if (c !== undefined) out += alphabet[c & 63]!;
  }
  return out;
}

const wordsOf = (bytes: Buffer): Uint32Array =>
  Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(i * 4));

export function bcryptHash(password: Uint8Array, cost = 10, salt: Buffer = randomBytes(16)): string {
  const key = Buffer.concat([password, Buffer.of(0)]);
  const cipher = new Blowfish();
  cipher.expand(key, wordsOf(salt));
  for (let round = 0; round < 2 ** cost; round++) {
    cipher.expand(key);
    cipher.expand(salt);
  }
  const text = Buffer.from('OrpheanBeholderScryDoubt');
  for (let at = 0; at < 24; at += 8) {
    let block: [number, number] = [text.readUInt32BE(at), text.readUInt32BE(at + 4)];
    for (let i = 0; i < 64; i++) block = cipher.block(...block);
    text.writeUInt32BE(block[0] >>> 0, at);
    text.writeUInt32BE(block[1] >>> 0, at + 4);
  }
  return `$2a$${String(cost).padStart(2, '0')}$${encode(salt)}${encode(text.subarray(0, 23))}`;
}
