/** Arbitraries that most targets share. */
import fc, { type Arbitrary } from 'fast-check';

type Edit =
  | { readonly kind: 'delete'; readonly at: number; readonly length: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number }
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number };

/** Valid inputs with a few edits: deletions, repetitions, flipped bits, and insertions of words that mean something to the parser. */
export function mutated(seeds: readonly string[], words: readonly string[] = []): Arbitrary<string> {
  const at = fc.nat({ max: 100_000 });
  const length = fc.nat({ max: 40 });
  const text = fc.oneof(
    { arbitrary: words.length > 0 ? fc.constantFrom(...words) : fc.constant('\n'), weight: 4 },
    { arbitrary: fc.string({ maxLength: 4, unit: 'binary-ascii' }), weight: 1 },
    { arbitrary: fc.string({ maxLength: 2, unit: 'binary' }), weight: 1 },
  );
  const edit: Arbitrary<Edit> = fc.oneof(
    fc.record({ kind: fc.constant('delete' as const), at, length }),
    fc.record({ kind: fc.constant('insert' as const), at, text }),
    fc.record({ kind: fc.constant('repeat' as const), at, length, times: fc.nat({ max: 20 }) }),
    fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat({ max: 7 }) }),
  );
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 6 }))
    .map(([seed, edits]) => edits.reduce(applyEdit, seed));
}

function applyEdit(text: string, edit: Edit): string {
  const at = text.length === 0 ? 0 : edit.at % (text.length + 1);
  switch (edit.kind) {
    case 'delete':
      return text.slice(0, at) + text.slice(at + edit.length);
    case 'insert':
      return text.slice(0, at) + edit.text + text.slice(at);
    case 'repeat':
      return text.slice(0, at) + text.slice(at, at + edit.length).repeat(edit.times) + text.slice(at + edit.length);
    case 'flip':
      return at < text.length
        ? text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << edit.bit)) + text.slice(at + 1)
        : text;
  }
}

/** Words of a grammar in any order, with or without spaces. */
export const wordsOf = (words: readonly string[], maxLength = 30): Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.constantFrom(...words), { maxLength }), fc.constantFrom('', ' '))
    .map(([parts, separator]) => parts.join(separator));

/** Any characters, mostly ASCII. */
export const anyText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** Texts that look like something else: numbers, booleans, nulls, times, markers of YAML. */
const lookalikes =
  '. .5 ._5 e5 E12345 1e400 1e3 0_ 0x 0x_1 0b 010 08 1_000 +1 -.5 .inf .nan y NO on ~ Null true 12:30:45 2001-01-01 = - ? : # & * ! | > % @ --- ... 0o7 00 1.'.split(
    ' ',
  );

/** JSON with keys and texts that have broken parsers: prototypes, empty and long texts, numbers at the limits. */
export const anyJson = (maxDepth = 4): Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.oneof(
        fc.constantFrom<unknown>(null, true, false, '', '__proto__', 'constructor', 0, -1, 2 ** 31, 2 ** 53, 1e308),
        fc.constantFrom(...lookalikes),
        fc.string({ maxLength: 12 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(
          fc.string({ maxLength: 6 }),
          fc.constantFrom('name', 'metadata', 'constructor', 'toString', 'length', 'e5', 'y', '1'),
        ),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;

/** Fields of a payload, some of them with values of another type. */
export const fieldsOf = (names: readonly string[], depth = 3): Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: depth, withCrossShrink: true },
      fc.oneof(fc.string({ maxLength: 20 }), anyJson(1)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8 }),
    ),
  })).value;
