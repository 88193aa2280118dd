import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { fn } from '../go-template/function.ts';
import { GoError, type GoFunction, int } from '../go-template/go-value.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const letters = lower.toUpperCase() + lower;
const digits = '0123456789';
const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const maxCount = 1_000_000;

function randomText(count: number, alphabet: string): string {
  if (count < 0 || count > maxCount) return '';
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Nondeterministic functions. They call `used` with their name. */
export function randomFunctions(used: (name: string) => void): Readonly<Record<string, GoFunction>> {
  const text = (name: string, alphabet: string): GoFunction =>
    fn('int', (count: number) => {
      used(name);
      return randomText(count, alphabet);
    });
  return {
    randAlphaNum: text('randAlphaNum', letters + digits),
    randAlpha: text('randAlpha', letters),
    randNumeric: text('randNumeric', digits),
    randAscii: text('randAscii', printable),
    randInt: fn('int int', (min: number, max: number) => {
      used('randInt');
      if (max <= min) throw new GoError('invalid argument to Intn');
      return int(min + Math.floor(Math.random() * (max - min)));
    }),
    randBytes: fn('int', (count: number) => {
      used('randBytes');
      if (count < 0 || count > maxCount) throw new GoError('runtime error: makeslice: len out of range');
      return randomBytes(count).toString('base64');
    }),
    uuidv4: fn('', () => {
      used('uuidv4');
      return randomUUID();
    }),
    shuffle: fn('string', (value: string) => {
      used('shuffle');
      const chars = [...value];
      for (let i = chars.length - 1; i > 0; i--) {
        const j = randomInt(i + 1);
        [chars[i], chars[j]] = [chars[j]!, chars[i]!];
      }
      return chars.join('');
    }),
  };
}
