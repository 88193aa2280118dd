import { GoError } from '../../go-template/go-value.ts';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  '\u00b5s': 1000n,
  '\u03bcs': 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
export const second = units['s']!;
export const minute = units['m']!;
export const hour = units['h']!;

/** Nanoseconds of `1h30m`, `-1.5h`, `300ms`. */
export function parseDuration(text: string): bigint {
  const invalid = (): never => {
    throw new GoError(`time: invalid duration ${JSON.stringify(text)}`);
  };
  const [, sign, body] = /^([-+]?)(.*)$/s.exec(text)!;
  if (body === '0') return 0n;
  if (body === '') invalid();
  let total = 0n;
  for (let rest = body!; rest !== ''; ) {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest)!;
    const [whole, fraction] = [number[1]!, number[2] ?? ''];
    if (whole === '' && fraction === '') invalid();
    rest = rest.slice(number[0].length);
    const name = /^[^.\d]*/.exec(rest)![0];
    if (name === '') throw new GoError(`time: missing unit in duration ${JSON.stringify(text)}`);
    const unit = units[name];
    if (unit === undefined)
      throw new GoError(`time: unknown unit ${JSON.stringify(name)} in duration ${JSON.stringify(text)}`);
    rest = rest.slice(name.length);
    total += BigInt(whole === '' ? 0 : whole) * unit;
    if (fraction !== '') total += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
    if (total > 2n ** 63n) invalid();
  }
  if (sign === '-') return -total;
  return total > 2n ** 63n - 1n ? invalid() : total;
}

/** `1h0m5.25s`; less than a second in its own unit. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const withFraction = (unit: bigint): string => {
    const fraction = (size % unit)
      .toString()
      .padStart(unit.toString().length - 1, '0')
      .replace(/0+$/, '');
    return fraction === '' ? '' : `.${fraction}`;
  };
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${size / 1000n}${withFraction(1000n)}µs`;
  if (size < second) return `${sign}${size / 1_000_000n}${withFraction(1_000_000n)}ms`;
  const seconds = `${(size / second) % 60n}${withFraction(second)}s`;
  if (size < minute) return sign + seconds;
  const minutes = `${(size / minute) % 60n}m${seconds}`;
  return sign + (size < hour ? minutes : `${size / hour}h${minutes}`);
}
