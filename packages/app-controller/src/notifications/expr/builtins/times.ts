import { GoObject, type GoValue, structType } from '@fairlead/render/go-template';
import {
  durationValue,
  goDuration,
  type Instant,
  loadZone,
  parseTime,
  timeValue,
  utc,
  type Zone,
} from '@fairlead/render/sprig';
import { fail, toText } from '../values.ts';
import type { Builtin } from './builtin.ts';

const text = (value: GoValue): string => toText(value);
const locationType = structType('time.Location');

const layouts = [
  '2006-01-02',
  '15:04:05',
  '2006-01-02 15:04:05',
  '2006-01-02T15:04:05Z07:00',
  '02 Jan 06 15:04 MST',
  'Monday, 02-Jan-06 15:04:05 MST',
  'Mon, 02 Jan 2006 15:04:05 MST',
];

const zones = new WeakMap<GoObject, Zone>();

function location(name: GoValue): GoObject {
  const zone = loadZone(text(name)) ?? fail(`unknown time zone ${text(name)}`);
  const value = new GoObject(locationType, { text: () => text(name) });
  zones.set(value, zone);
  return value;
}

export function instantNow(now: () => number, zone: Zone = utc): Instant {
  const milliseconds = now();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanoseconds: Math.round((milliseconds - seconds * 1000) * 1_000_000), zone };
}

/** A text that names no zone is in the given one. */
function parseIn(layout: string, date: string, zone: Zone | undefined): Instant {
  const instant = parseTime(layout, date);
  if (!zone || !instant.zone.isUtc) return instant;
  return { ...instant, seconds: instant.seconds - zone.at(instant.seconds).offset, zone };
}

function date(args: readonly GoValue[]): GoValue {
  const [first] = args;
  const zone = first instanceof GoObject ? zones.get(first) : undefined;
  const [value, layout, zoneName] = zone ? args.slice(1) : args;
  const own = zoneName === undefined ? zone : (loadZone(text(zoneName)) ?? fail(`unknown time zone ${text(zoneName)}`));
  if (layout !== undefined) return timeValue(parseIn(text(layout), text(value), own));
  for (const one of layouts) {
    try {
      return timeValue(parseIn(one, text(value), own));
    } catch {
      // The next layout may fit.
    }
  }
  return fail(`invalid date ${text(value)}`);
}

export const timeBuiltins: Readonly<Record<string, Builtin>> = {
  now: ([zone], { now }) => timeValue(instantNow(now, zone instanceof GoObject ? zones.get(zone) : undefined)),
  duration: ([value]) => durationValue(goDuration(text(value))),
  date,
  timezone: ([name]) => location(name),
};
