import { elementAt } from '@fairlead/apimachinery/primitives';
import { fill, type Library } from './library-base.ts';
import { display, LuaTable, type LuaValue, toNumber } from './values.ts';

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = 'January February March April May June July August September October November December'.split(' ');

/** Only the clock of the operating system, in UTC. */
export function osLibrary(now: () => number): Library {
  return {
    clock: () => [now() / 1000],
    difftime: (a, b) => [(toNumber(a) ?? 0) - (toNumber(b) ?? 0)],
    time: (table) => {
      if (!(table instanceof LuaTable)) return [Math.floor(now() / 1000)];
      const at = (name: string, otherwise: number): number => toNumber(table.get(name)) ?? otherwise;
      const instant = Date.UTC(
        at('year', 1970),
        at('month', 1) - 1,
        at('day', 1),
        at('hour', 12),
        at('min', 0),
        at('sec', 0),
      );
      return [Math.floor(instant / 1000)];
    },
    date: (format, time) => {
      const date = new Date((toNumber(time) ?? Math.floor(now() / 1000)) * 1000);
      const text = format === undefined ? '%c' : display(format).replace(/^!/u, '');
      return [text.startsWith('*t') ? parts(date) : written(text, date)];
    },
  };
}

function parts(date: Date): LuaTable {
  const table = fill(new LuaTable(), {});
  const values: Readonly<Record<string, LuaValue>> = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    min: date.getUTCMinutes(),
    sec: date.getUTCSeconds(),
    wday: date.getUTCDay() + 1,
    isdst: false,
  };
  for (const [name, value] of Object.entries(values)) table.set(name, value);
  return table;
}

function written(format: string, date: Date): string {
  const forms: Readonly<Record<string, () => string>> = {
    Y: () => String(date.getUTCFullYear()),
    y: () => pad(date.getUTCFullYear() % 100),
    m: () => pad(date.getUTCMonth() + 1),
    d: () => pad(date.getUTCDate()),
    H: () => pad(date.getUTCHours()),
    I: () => pad(((date.getUTCHours() + 11) % 12) + 1),
    M: () => pad(date.getUTCMinutes()),
    S: () => pad(date.getUTCSeconds()),
    p: () => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
    A: () => elementAt(days, date.getUTCDay()),
    a: () => elementAt(days, date.getUTCDay()).slice(0, 3),
    B: () => elementAt(months, date.getUTCMonth()),
    b: () => elementAt(months, date.getUTCMonth()).slice(0, 3),
    c: () => written('%a %b %d %H:%M:%S %Y', date),
    x: () => written('%m/%d/%y', date),
    X: () => written('%H:%M:%S', date),
    Z: () => 'UTC',
    '%': () => '%',
  };
  return format.replace(/%(.)/gsu, (whole, letter: string) => forms[letter]?.() ?? whole);
}
