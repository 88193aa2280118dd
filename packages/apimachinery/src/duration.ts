const unitNanos = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const maxNanos = 2n ** 63n - 1n;
const nanosPerMs = 1_000_000;

type Parsed = { readonly nanos: bigint } | { readonly problem: string };

/** Parses a duration as `time.ParseDuration` of Go does, with its error messages. */
function readDuration(text: string): Parsed {
  const quoted = JSON.stringify(text);
  const invalid = { problem: `time: invalid duration ${quoted}` };
  const rest = text.replace(/^[+-]/, '');
  if (rest === '0') return { nanos: 0n };
  if (rest === '') return invalid;
  let [nanos, end] = [0n, 0];
  for (const match of rest.matchAll(/(\d*)(?:\.(\d*))?([^\d.]*)/gy)) {
    if (end === rest.length) break;
    const [part, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return invalid;
    if (unit === '') return { problem: `time: missing unit in duration ${quoted}` };
    const scale = unitNanos.get(unit);
    if (scale === undefined) return { problem: `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}` };
    // Twenty digits overflow in any unit; more would make the arithmetic slow.
    const digits = whole.replace(/^0+/, '');
    if (digits.length > 20) return invalid;
    const decimals = fraction.slice(0, 20);
    nanos += BigInt(digits) * scale + (BigInt(decimals) * scale) / 10n ** BigInt(decimals.length);
    if (nanos > maxNanos) return invalid;
    end = match.index + part.length;
  }
  return { nanos: text.startsWith('-') ? -nanos : nanos };
}

/** `1h30m`, `-1.5s`: nanoseconds, or undefined when Go cannot parse the text. */
export function parseGoDuration(text: string): bigint | undefined {
  const parsed = readDuration(text);
  return 'nanos' in parsed ? parsed.nanos : undefined;
}

/** The error message of Go for the text, or undefined if it is a duration. */
export function durationProblem(text: string): string | undefined {
  const parsed = readDuration(text);
  return 'problem' in parsed ? parsed.problem : undefined;
}

/** The same in milliseconds. */
export function parseDuration(text: string): number | undefined {
  const nanos = parseGoDuration(text);
  return nanos === undefined ? undefined : Number(nanos) / nanosPerMs;
}

/** In the format of Go: `1h30m0s`, `1.5s`, `2ms`. */
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

/** `1h2m3s`, `12.3s`, `340ms`: milliseconds in a form short enough for a table. `parseDuration` parses it. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))}s`;
  const seconds = Math.round(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${h > 0 ? `${h}h` : ''}${m > 0 ? `${m}m` : ''}${s > 0 ? `${s}s` : ''}`;
}
