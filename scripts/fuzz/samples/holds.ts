import fc from 'fast-check';
import { fuzzTarget, unlessRefused } from '../target.ts';

/** Holds for every input: a documented error is not a finding. */
export const target = fuzzTarget({
  inputs: fc.json(),
  check(text: string) {
    unlessRefused([SyntaxError], () => JSON.parse(`${text}!`));
  },
});
