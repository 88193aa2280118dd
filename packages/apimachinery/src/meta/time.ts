/** `2006-01-02T15:04:05Z`: RFC 3339 truncated to the second, as metav1.Time is written. */
export const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** `2006-01-02T15:04:05.000000Z`, as metav1.MicroTime is written. */
export const formatMicroTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** Milliseconds since the epoch, or undefined when the text is absent or not a time. */
export function parseTime(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
