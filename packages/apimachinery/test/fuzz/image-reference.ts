/** An image reference parses or is an `ImageReferenceError`, and its canonical name is the same image. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import {
  canonicalImageName,
  ImageReferenceError,
  imageReferenceProblem,
  parseImageReference,
  splitImageReference,
  tryParseImageReference,
} from '../../src/image-reference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const words = [
  ...'nginx library / : @ . .. _ __ - -- A localhost docker.io :5000 latest 1.2 [::1] %2f'.split(' '),
  digest,
];

export const target = fuzzTarget({
  inputs: fc.oneof(
    mutated(['nginx', 'registry.example.com:5000/team/web:1.2.3', `ghcr.io/a/b@${digest}`, `a/b:c@${digest}`], words),
    wordsOf(words, 8).map((text) => text.replaceAll(' ', '')),
    anyText,
  ),
  check(text: string) {
    splitImageReference(text);
    const problem = imageReferenceProblem(text);
    const parsed = unlessRefused([ImageReferenceError], () => parseImageReference(text));
    assert.equal(parsed === undefined, problem !== undefined);
    assert.deepEqual(tryParseImageReference(text), parsed);
    if (!parsed) return;
    const { tag, digest: pinned, registry, repository } = parseImageReference(canonicalImageName(parsed));
    assert.deepEqual([registry, repository], [parsed.registry, parsed.repository]);
    if (parsed.digest) assert.equal(pinned, parsed.digest);
    else assert.equal(tag, parsed.tag ?? 'latest');
  },
});
