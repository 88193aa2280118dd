import { type Nature, natures } from './nature.ts';

const { int, float, string, bool, time, duration, unknown } = natures;
const named = (nature: Nature, names: string): [string, Nature][] => names.split(' ').map((name) => [name, nature]);

/** The methods of the two types that functions return, with their results. */
const methods: Readonly<Partial<Record<Nature['kind'], ReadonlyMap<string, Nature>>>> = {
  time: new Map([
    ...named(int, 'Day Hour Minute Nanosecond Second Year YearDay Compare'),
    ...named(unknown, 'Month Weekday Unix UnixMicro UnixMilli UnixNano Location Date Clock ISOWeek Zone'),
    ...named(string, 'Format GoString String'),
    ...named(bool, 'After Before Equal IsDST IsZero'),
    ...named(time, 'Add AddDate In Local Round Truncate UTC'),
    ...named(duration, 'Sub'),
    ...named(unknown, 'MarshalText MarshalJSON MarshalBinary AppendFormat'),
  ]),
  duration: new Map([
    ...named(float, 'Hours Minutes Seconds'),
    ...named(unknown, 'Milliseconds Microseconds Nanoseconds'),
    ...named(string, 'String'),
    ...named(duration, 'Round Truncate Abs'),
  ]),
  location: new Map(named(string, 'String')),
};

/** The result of a method. Undefined if the nature has no such method. */
export const methodResult = ({ kind }: Nature, name: string): Nature | undefined => methods[kind]?.get(name);
