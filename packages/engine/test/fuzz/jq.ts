/** A jq path expression selects paths that exist or can exist in the object, or fails with a `JqError`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyJson, anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRejected } from '../../../../scripts/fuzz/target.ts';
import { createJq, JqError } from '../../src/diff/jq/jq.ts';

const words =
  '. .. .a .b[] .spec .containers | , ( ) [ ] { } select == != "x" 1 -1 0 null true not and or if then elif else end reduce foreach as $x try catch ? // keys path paths del map recurse limit(3;.) first last range(3) env input empty error test("a+") # def f: ; .a?.b .["c"] @base64 \\(1)'.split(
    ' ',
  );
const seeds = [
  '.spec.template.spec.containers[] | select(.name == "c") | .image',
  '.metadata.annotations["a/b"], .spec[]?.x',
  'if .a then .b else .c end | .. | select(type == "number")',
];
const jq = createJq({ timeMs: 2_000 });

export const target = fuzzTarget({
  inputs: fc.record({
    expression: fc.oneof(mutated(seeds, words), wordsOf(words, 12), anyText),
    object: fc.oneof(
      fc.constant<unknown>({
        spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
        a: [1, { b: 2 }],
      }),
      anyJson(3),
    ),
  }),
  async check({ expression, object }: { readonly expression: string; readonly object: unknown }) {
    const paths = await unlessRejected([JqError], () => jq.paths(expression, JSON.parse(JSON.stringify(object))));
    for (const path of paths ?? []) assert.ok(Array.isArray(path), JSON.stringify(paths));
  },
});
