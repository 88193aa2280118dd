let lastSecond = Number.NaN;
let lastText = '';

/**
 * `2006-01-02T15:04:05Z`: RFC 3339 truncated to the second, the format of metav1.Time. The text of the last second is cached, since it is
 * used often.
 */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** `2006-01-02T15:04:05.000000Z`, the format of metav1.MicroTime. */
export const formatMicroTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** Milliseconds since the epoch, or undefined when the text is absent or not a time. */
export function parseTime(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
