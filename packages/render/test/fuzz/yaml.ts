/** Any text is YAML or a `YamlError`, and written values round-trip. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyJson, anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { readYaml, readYamlDocuments, writeYaml, writeYamlPretty, YamlError } from '../../src/go-yaml/index.ts';

const seeds = [
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {b: "c", d: \'e\'}\ndata:\n  text: |\n    one\n     two\n  folded: >-\n    a\n    b\n',
  '- &a {x: 1, y: [1, 2.5, 0x1F, 0o7, 1e3, .inf, ~]}\n- *a\n- <<: *a\n  z: !!str 5\n- ? complex\n  : value\n',
  "%YAML 1.1\n---\na: yes\nb: 2001-12-14t21:59:43.10-05:00\nc: 190:20:30\n...\n---\n# comment\n\"d\\u00e9\\x41\": 'it''s'\n",
];
const words = [
  ...': |- |+ > - ? , [ ] { } & * ! !! % @ ` " \' # --- ... ~ null true yes 1 .nan << a b !!binary !<tag:x> \\'.split(
    ' ',
  ),
  ': ',
  '- ',
  '\n',
  '\n  ',
  '\n    ',
  '\t',
  '\r\n',
  '\u2028',
  '\ufeff',
];
const text = fc.oneof(mutated(seeds, words), wordsOf(words, 25), anyText);

export const target = fuzzTarget({
  inputs: fc.oneof(
    text.map((yaml) => ({ yaml })),
    anyJson().map((value) => ({ value })),
  ),
  check(input: { readonly yaml: string } | { readonly value: unknown }) {
    if ('yaml' in input) {
      const documents = unlessRefused([YamlError], () => readYamlDocuments(input.yaml));
      const first = unlessRefused([YamlError], () => readYaml(input.yaml));
      if (documents) assert.deepEqual(first, documents[0] ?? null, 'the first document is the one that readYaml reads');
      if (documents) for (const value of documents) roundTrip(value);
    } else roundTrip(input.value);
  },
});

function roundTrip(value: unknown): void {
  // Go writes the key << without quotes, and then parses it as a merge.
  if (JSON.stringify(value).includes('"<<":')) return;
  for (const write of [writeYaml, (given: unknown) => writeYamlPretty(given)]) {
    const written = unlessRefused([YamlError], () => write(value));
    if (written !== undefined) assert.deepEqual(readYaml(written), value, written);
  }
}
