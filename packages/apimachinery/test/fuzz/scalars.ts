/** Quantities, durations and selectors: the canonical form parses to the same value. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { durationProblem, formatGoDuration, parseGoDuration } from '../../src/duration.ts';
import { ApiError } from '../../src/meta/api-error.ts';
import { compareQuantity, readQuantity } from '../../src/quantity.ts';
import { formatSelector, parseLabelSelector } from '../../src/selectors/label-selector.ts';

const quantity = fc.oneof(
  mutated(
    ['1500m', '1.5Gi', '1e3', '-0.1', '12345678901234567890', '1E', '1Ei'],
    [...'0 1 . - + e E m k Ki Mi G n u 9999999999 e99'.split(' ')],
  ),
  anyText,
);
const duration = fc.oneof(
  mutated(
    ['1h30m', '-2.5s', '100ms', '1us', '5ns', '2562047h47m16.854775807s'],
    [...'h m s ms us µs ns . - + 0 9 99999999999'.split(' ')],
  ),
  anyText,
);
const selectorWords = 'a b.c/d = == != , in notin ( ) ! exists > < x,y 1 - _ "'.split(' ');
const selector = fc.oneof(
  mutated(['a=b,c!=d,e in (f,g),h notin (i),!j,k>1'], selectorWords),
  wordsOf(selectorWords, 12),
  anyText,
);

export const target = fuzzTarget({
  inputs: fc.oneof(
    quantity.map((text) => ({ quantity: text })),
    duration.map((text) => ({ duration: text })),
    fc.record({
      selector,
      labels: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'e', 'k'), fc.string({ maxLength: 3 })),
    }),
  ),
  check(input: { quantity?: string; duration?: string; selector?: string; labels?: Record<string, string> }) {
    if (input.quantity !== undefined) checkQuantity(input.quantity);
    if (input.duration !== undefined) checkDuration(input.duration);
    if (input.selector !== undefined) checkSelector(input.selector, input.labels ?? {});
  },
});

function checkQuantity(text: string): void {
  const parsed = readQuantity(text);
  if ('problem' in parsed) return;
  const again = readQuantity(parsed.text);
  assert.ok(!('problem' in again), `${parsed.text} is not read again`);
  assert.equal(again.text, parsed.text, 'the canonical form is canonical');
  assert.equal(compareQuantity(text, text), 0);
}

function checkDuration(text: string): void {
  const nanos = parseGoDuration(text);
  assert.equal(nanos === undefined, durationProblem(text) !== undefined);
  if (nanos !== undefined) assert.equal(parseGoDuration(formatGoDuration(nanos)), nanos);
}

function checkSelector(text: string, labels: Record<string, string>): void {
  const parsed = unlessRefused([ApiError], () => parseLabelSelector(text));
  if (!parsed) return;
  const again = parseLabelSelector(formatSelector(parsed));
  assert.equal(formatSelector(again), formatSelector(parsed));
  assert.equal(again.matches(labels), parsed.matches(labels));
}
