const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[+-](\d{2}):(\d{2}))| +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/u;

/** Whether Go's YAML reads the text as a timestamp. */
export function isTimestamp(text: string): boolean {
  const match = pattern.exec(text);
  if (!match) return false;
  const part = (...groups: number[]): number => Number(groups.map((group) => match[group]).find(Boolean) ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  return part(4, 9) < 24 && part(5, 10) < 60 && part(6, 11) < 60 && part(7) <= 24 && part(8) < 60;
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/** A timestamp as Go writes a `time.Time` in JSON: RFC 3339, fractions without trailing zeros. */
export function timestampAsJson(text: string): string {
  const match = pattern.exec(text);
  if (!match) return text;
  const two = (...groups: number[]): string =>
    (groups.map((group) => match[group]).find(Boolean) ?? '0').padStart(2, '0');
  const digits = /[.,](\d+)/u.exec(text)?.[1]?.slice(0, 9).replace(/0+$/u, '') ?? '';
  const fraction = digits === '' ? '' : `.${digits}`;
  const zone = /[+-]\d{2}:\d{2}$/u.exec(text.slice(10))?.[0] ?? 'Z';
  const utc = zone === '+00:00' || zone === '-00:00' ? 'Z' : zone;
  return `${match[1]}-${two(2)}-${two(3)}T${two(4, 9)}:${two(5, 10)}:${two(6, 11)}${fraction}${utc}`;
}
