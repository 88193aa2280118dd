/** A line of the log of a pod. */
export interface LogEntry {
  readonly pod: string;
  readonly line: string;
  /** Nanoseconds since 1970; undefined for what is not from the log: why it cannot be read. */
  readonly time?: bigint;
}

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/u;

/** Nanoseconds since 1970; undefined if it is not a time of RFC 3339. */
export function readNanoTime(text: string): bigint | undefined {
  const [, seconds, fraction = '', zone = ''] = pattern.exec(text) ?? [];
  const ms = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** As Go's RFC3339Nano in UTC. */
export function formatNanoTime(time: bigint): string {
  const [seconds, nanos] = [time / 1_000_000_000n, time % 1_000_000_000n];
  const fraction = String(nanos).padStart(9, '0').replace(/0+$/u, '');
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`;
}
