const units: readonly (readonly [seconds: number, suffix: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];

/** A short age, as kubectl prints it: `45s`, `12m`, `3h`, `5d`. */
export function ageText(seconds: number): string {
  const positive = Math.max(0, Math.floor(seconds));
  const [size, suffix] = units.find(([unit]) => positive >= unit) ?? [1, 's'];
  return `${Math.floor(positive / size)}${suffix}`;
}

/** Undefined if the time cannot be read. */
export function secondsSince(time: string | undefined, now: number): number | undefined {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? undefined : (now - at) / 1_000;
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** In the viewer's zone. */
export function timeText(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : format.format(at);
}
