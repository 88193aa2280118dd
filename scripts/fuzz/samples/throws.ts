import fc from 'fast-check';
import { fuzzTarget } from '../target.ts';

/** Fails for every text with an `x`. */
export const target = fuzzTarget({
  inputs: fc.string({ unit: fc.constantFrom('a', 'b', 'x'), maxLength: 20 }),
  check(text: string) {
    if (text.includes('x')) throw new TypeError(`cannot read ${JSON.stringify(text)}`);
  },
});
