/** A request body is an object or an `ApiError`; both YAML parsers of the product parse their own output; protobuf round-trips. */
import assert from 'node:assert/strict';
import { ApiError, encodeProtobuf, type Json, type JsonObject, schemaOf } from '@fairlead/apimachinery';
import { readYaml, writeYaml } from '@fairlead/render/go-yaml';
import fc from 'fast-check';
import { anyJson, fieldsOf, mutated } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { decodeBody, decodeDocument } from '../../src/decode/index.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'b', labels: { c: 'd' }, creationTimestamp: '2024-01-02T03:04:05Z' },
  spec: {
    containers: [{ name: 'm', image: 'i', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '100m' } } }],
    terminationGracePeriodSeconds: 30,
    tolerations: [{ key: 'a', operator: 'Exists' }],
  },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
};
const options = { apiVersion: 'v1', kind: 'Pod', fieldValidation: 'Warn' } as const;
const types = { json: 'application/json', yaml: 'application/yaml', protobuf: 'application/vnd.kubernetes.protobuf' };
type Type = keyof typeof types;
const schema = schemaOf('', 'v1', 'Pod');
const words = [
  '"',
  ':',
  ',',
  '{',
  '}',
  '[',
  ']',
  'null',
  '-1',
  '1e400',
  '"spec"',
  '"containers"',
  '\n',
  '  ',
  '- ',
  '&a ',
  '*a',
  '\xff\x7f',
  '\0',
];
const seeds: Readonly<Record<Type, string>> = {
  json: JSON.stringify(pod),
  yaml: writeYaml(pod),
  protobuf: Buffer.from(encodeProtobuf(pod)).toString('latin1'),
};
const fields =
  'apiVersion kind metadata name labels spec containers image ports containerPort resources limits cpu status conditions env value creationTimestamp ownerReferences managedFields'.split(
    ' ',
  );
const body = fc.oneof(
  ...(Object.keys(types) as Type[]).map((type) => mutated([seeds[type]], words).map((text) => ({ type, text }))),
  fieldsOf(fields, 6).map((value) => ({ type: 'json' as const, text: JSON.stringify({ ...pod, ...Object(value) }) })),
);

export const target = fuzzTarget({
  inputs: fc.oneof(
    { arbitrary: body, weight: 4 },
    anyJson().map((value) => ({ value })),
  ),
  check(input: { readonly type: Type; readonly text: string } | { readonly value: unknown }) {
    if ('value' in input) return checkReaders(input.value);
    const bytes = Buffer.from(input.text, input.type === 'protobuf' ? 'latin1' : 'utf8');
    const decoded = unlessRefused([ApiError], () => decodeBody(bytes, types[input.type], schema!, options));
    if (decoded) checkProtobuf(decoded.draft);
  },
});

function checkReaders(value: unknown): void {
  // Go writes the key << without quotes, and then parses it as a merge.
  if (JSON.stringify(value).includes('"<<":')) return;
  const text = writeYaml(value);
  assert.deepEqual(decodeDocument(text, 'application/yaml'), value as Json, text);
  assert.deepEqual(readYaml(text), value, text);
}

/** A decoded object round-trips through protobuf. */
function checkProtobuf(draft: JsonObject): void {
  const bytes = unlessRefused([ApiError], () => encodeProtobuf(draft));
  if (!bytes) return;
  const again = decodeBody(Buffer.from(bytes), types.protobuf, schema!, options);
  assert.deepEqual(Buffer.from(encodeProtobuf(again.draft)), Buffer.from(bytes));
}
