/** Data from a registry: manifests and indexes, challenges, and references to artifacts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, fieldsOf, mutated } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { parseChallenges } from '../../src/oci/challenge.ts';
import { parseManifest } from '../../src/oci/manifest.ts';
import { parseOciReference } from '../../src/oci/reference.ts';
import { SourceError } from '../../src/source-error.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const descriptor = { mediaType: 'application/vnd.oci.image.config.v1+json', digest, size: 10 };
const words = [
  '"digest"',
  '"size"',
  '"mediaType"',
  ':',
  ',',
  '[',
  ']',
  '{',
  '}',
  'null',
  '-1',
  '1e99',
  '"',
  digest,
  '__proto__',
];
const fields = [
  'config',
  'layers',
  'manifests',
  'mediaType',
  'digest',
  'size',
  'annotations',
  'platform',
  'schemaVersion',
];
const manifest = fc.oneof(
  mutated(
    [
      JSON.stringify({ schemaVersion: 2, config: descriptor, layers: [descriptor], annotations: { a: 'b' } }),
      JSON.stringify({
        schemaVersion: 2,
        manifests: [{ ...descriptor, platform: { os: 'linux', architecture: 'arm64' } }],
      }),
    ],
    words,
  ),
  fieldsOf(fields).map((value) => JSON.stringify(value)),
);
const challenge = fc.oneof(
  mutated(
    [
      'Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull"',
      'Basic realm="x", Negotiate',
    ],
    ['"', '\\', '=', ',', ' ', 'Bearer', 'realm=', 'a'.repeat(50), '\\"'],
  ),
  anyText,
);
const reference = fc.oneof(
  mutated(
    [`oci://registry.example.com:5000/team/chart:1.2.3@${digest}`, 'localhost/a', 'docker.io/nginx:latest'],
    [':', '@', '/', '//', '.', '..', '_', '-', 'A', digest, 'oci://', '%2f', '[::1]'],
  ),
  anyText,
);

export const target = fuzzTarget({
  inputs: fc.oneof(
    manifest.map((text) => ({ manifest: text })),
    challenge.map((text) => ({ challenge: text })),
    reference.map((text) => ({ reference: text })),
  ),
  check(input: { readonly manifest?: string; readonly challenge?: string; readonly reference?: string }) {
    if (input.manifest !== undefined) checkManifest(input.manifest);
    if (input.challenge !== undefined)
      for (const { scheme } of parseChallenges(input.challenge)) assert.equal(scheme, scheme.toLowerCase());
    if (input.reference !== undefined) checkReference(input.reference);
  },
});

function checkManifest(text: string): void {
  const parsed = parseManifest(Buffer.from(text), 'application/vnd.oci.image.manifest.v1+json', digest);
  const all =
    parsed?.kind === 'image' ? [parsed.image.config, ...parsed.image.layers] : (parsed?.index.manifests ?? []);
  for (const { size, digest: own } of all)
    assert.ok(Number.isSafeInteger(size) && size >= 0 && typeof own === 'string');
}

/** A reference round-trips through its full form. */
function checkReference(text: string): void {
  const parsed = unlessRefused([SourceError], () => parseOciReference(text));
  if (!parsed) return;
  const { registry, repository, tag, digest: pinned } = parsed;
  const whole = `oci://${registry}/${repository}${tag ? `:${tag}` : ''}${pinned ? `@${pinned}` : ''}`;
  assert.deepEqual(parseOciReference(whole), parsed);
  assert.ok(!repository.split('/').includes('..'), repository);
}
