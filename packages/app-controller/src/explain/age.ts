/** A duration in one or two units: `12s`, `4m`, `3h10m`, `5d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 10 && minutes % 60 > 0) return `${hours}h${minutes % 60}m`;
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

export const ageOf = (instant: string | undefined, now: number): string => {
  const at = Date.parse(instant ?? '');
  return Number.isNaN(at) ? '' : formatAge(now - at);
};
