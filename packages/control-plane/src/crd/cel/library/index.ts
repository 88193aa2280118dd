import { Overloads } from '../overloads.ts';
import { collections, optionals } from './collections.ts';
import { conversions } from './conversions.ts';
import { namedFormats } from './named-formats.ts';
import { network } from './network.ts';
import { operators } from './operators.ts';
import { quantity } from './quantity.ts';
import { semver } from './semver.ts';
import { text } from './text.ts';
import { time } from './time.ts';
import { url } from './url.ts';

/** All functions and operators that rules of CRDs may use. */
export const library = new Overloads([
  ...operators,
  ...conversions,
  ...text,
  ...time,
  ...collections,
  ...optionals,
  ...url,
  ...network,
  ...quantity,
  ...semver,
  ...namedFormats,
]);
