/** A `--set` expression sets values, or is a `RenderError`. */
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { GoMap } from '../../src/go-template/go-value.ts';
import { type SetKind, setValues } from '../../src/helm/set-values.ts';
import { RenderError } from '../../src/render-error.ts';

const words =
  'a b name . , = [ ] { } \\ " \' 0 1 -1 65537 99999999999 null true 1.5 0x1 [0] {a,b} {"a":1} ,, == __proto__'.split(
    ' ',
  );
const kinds: readonly SetKind[] = ['set', 'set-string', 'set-json', 'set-file', 'set-literal'];

export const target = fuzzTarget({
  inputs: fc.record({
    kind: fc.constantFrom(...kinds),
    expressions: fc.array(
      fc.oneof(
        mutated(['a.b[0].c=1,d={x,y},e\\,f=null', 'a={"b":[1,{"c":null}]}'], words),
        wordsOf(words, 14),
        anyText,
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  check({ kind, expressions }: { readonly kind: SetKind; readonly expressions: readonly string[] }) {
    const values = new GoMap();
    for (const expression of expressions)
      unlessRefused([RenderError], () => setValues(values, expression, kind, (path) => path));
  },
});
