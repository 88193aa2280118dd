import { fn } from '../go-template/function.ts';
import { GoError, type GoFunction } from '../go-template/go-value.ts';
import { cryptoFunctions } from './crypto.ts';
import { dateFunctions } from './dates.ts';
import { defaultFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import { encodingFunctions } from './encoding.ts';
import { jsonFunctions } from './json.ts';
import { listFunctions } from './lists.ts';
import { mathFunctions } from './math.ts';
import { pathFunctions } from './paths.ts';
import { randomFunctions } from './random.ts';
import { regexFunctions } from './regex.ts';
import { semverFunctions } from './semver.ts';
import { stringFunctions } from './strings.ts';
import { urlFunctions } from './url.ts';
import { certificateFunctions } from './x509/certificate-functions.ts';

export { readJson } from './json.ts';
export { mergeInto } from './merge.ts';
export { fromPlain, toPlain } from './plain.ts';

export { lowerChar, upperChar } from './simple-case.ts';
export { goDuration } from './time/duration.ts';
export { addNanoseconds, type Instant, unixNanoseconds } from './time/instant.ts';
export { parseTime } from './time/parse.ts';
export { durationType, durationValue, instantOf, isTime, timeType, timeValue } from './time/time-value.ts';
export { loadZone, utc, type Zone } from './time/zone.ts';

export interface SprigContext {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the name of each nondeterministic function that is used. */
  readonly used: (name: string) => void;
}

/** Sprig 3.3.0 without `env` and `expandenv`. Host names are not resolved: a render does not depend on the network. */
export function sprigFunctions({ now, used }: SprigContext): Readonly<Record<string, GoFunction>> {
  return {
    ...stringFunctions,
    ...listFunctions,
    ...dictFunctions,
    ...mathFunctions,
    ...defaultFunctions,
    ...jsonFunctions,
    ...encodingFunctions,
    ...pathFunctions,
    ...regexFunctions,
    ...semverFunctions,
    ...urlFunctions,
    ...randomFunctions(used),
    ...cryptoFunctions(used),
    ...certificateFunctions(used, now),
    ...dateFunctions({ now, used }),
    getHostByName: fn('string', () => ''),
    fail: fn('string', (message: string) => {
      throw new GoError(message);
    }),
  };
}
