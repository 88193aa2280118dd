const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const maxNanos = 2n ** 63n - 1n;

/** `1h30m`, `-1.5s`: nanoseconds, or undefined where Go would not read it. */
export function parseGoDuration(text: string): bigint | undefined {
  const sign = text.startsWith('-') ? -1n : 1n;
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  if (rest === '' || rest.length > 200) return undefined;
  let total = 0n;
  while (rest !== '') {
    const part = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/.exec(rest);
    if (!part || (part[1] === '' && !part[2])) return undefined;
    const [whole, , fraction = '', unit] = part as unknown as [string, string, string | undefined, string];
    const scale = unitNanos[unit!]!;
    total += BigInt(part[1] || '0') * scale;
    if (fraction !== '') total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
    rest = rest.slice(whole.length);
  }
  return total > maxNanos ? undefined : sign * total;
}

/** As Go prints it: `1h30m0s`, `1.5s`, `2ms`. */
export function formatGoDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 1_000_000n, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 1_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint, digits: number): string {
  const fraction = (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}
