import fc from 'fast-check';
import { fuzzTarget } from '../target.ts';

/** Never ends for one of its inputs. */
export const target = fuzzTarget({
  inputs: fc.constantFrom('fine', 'endless'),
  check(text: string) {
    while (text === 'endless');
  },
});
