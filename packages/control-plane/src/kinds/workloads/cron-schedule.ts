import { durationProblem } from '@fairlead/apimachinery';

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const days = 'sun mon tue wed thu fri sat'.split(' ');
const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Why a schedule is invalid, with the message of the cron library of Kubernetes; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  let text = schedule;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const end = text.indexOf(' ');
    const start = text.indexOf('=') + 1;
    if (end < 0) return `invalid schedule format: runtime error: slice bounds out of range [${start}:-1]`;
    const zone = text.slice(start, end);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    text = text.slice(end).trim();
  }
  if (text.startsWith('@')) return descriptorProblem(text);
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, field] of fields.entries()) {
    for (const range of (parts[index] ?? '').split(',').filter((each) => each !== '')) {
      const problem = rangeProblem(range, field);
      if (problem) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  const problem = durationProblem(duration);
  return problem ? `failed to parse duration ${text}: ${problem}` : undefined;
}

/** `*`, `?`, `3`, `1-5`, each with `/step`. */
function rangeProblem(range: string, field: Field): string | undefined {
  const [span = '', step, ...tooMuch] = range.split('/');
  const [low = '', high, ...tooMany] = span.split('-');
  const all = low === '*' || low === '?';
  const start = all ? field.min : numberOf(low, field);
  if (typeof start === 'string') return start;
  let end = all ? field.max : high === undefined ? start : numberOf(high, field);
  if (!all && tooMany.length > 0) return `too many hyphens: ${range}`;
  if (typeof end === 'string') return end;
  if (tooMuch.length > 0) return `too many slashes: ${range}`;
  const every = step === undefined ? 1 : numberOf(step, { min: 0, max: 0 });
  if (typeof every === 'string') return every;
  if (step !== undefined && high === undefined) end = field.max;
  if (start < field.min) return `beginning of range (${start}) below minimum (${field.min}): ${range}`;
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return every === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** The number, or the error. */
function numberOf(text: string, { names, min }: Field): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + min;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}

/** Whether the time zone database has it. */
export function isTimeZone(name: string): boolean {
  if (['', 'UTC', 'Local', 'Factory'].includes(name)) return true;
  if (!/^[A-Z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Here names are case-insensitive; in the database of a server they are not.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
