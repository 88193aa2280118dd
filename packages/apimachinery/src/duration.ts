const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy;

/** Milliseconds of a duration as Kubernetes writes it, `90s` or `1h30m`; undefined when the text is none. */
export function parseDuration(text: string): number | undefined {
  const sign = /^[+-]/.test(text) ? text[0] : '';
  const rest = text.slice(sign!.length);
  if (rest === '0') return 0;
  let [total, end] = [0, 0];
  for (const match of rest.matchAll(part)) {
    total += Number(match[1]) * unitMs[match[2]!]!;
    end = match.index + match[0].length;
  }
  if (rest === '' || end !== rest.length) return undefined;
  return sign === '-' ? -total : total;
}

/** `1h2m3s`, `12.3s`, `340ms`: short enough for a table, and readable by `parseDuration`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))}s`;
  const seconds = Math.round(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${h > 0 ? `${h}h` : ''}${m > 0 ? `${m}m` : ''}${s > 0 ? `${s}s` : ''}`;
}
