import { formatLimit, limits, limitTable } from '@fairlead/kube/limits';
import { RenderError } from '../render-error.ts';
import type { Manifest } from '../source/manifest.ts';

/** Parsing a part of this size takes a few milliseconds. */
const partChars = 256 * 1024;

/** Manifests as JSON arrays of moderate size. Throws if they exceed the limit on the size of an output. */
export function* manifestParts(manifests: readonly Manifest[]): Generator<string> {
  let part: string[] = [];
  let size = 0;
  let total = 0;
  for (const manifest of manifests) {
    const text = JSON.stringify(manifest);
    size += text.length;
    total += Buffer.byteLength(text);
    if (total > limits.renderBytes)
      throw new RenderError(
        'TooLarge',
        `the source renders more than ${formatLimit(limitTable.renderBytes)} of manifests: split it into several Applications`,
      );
    part.push(text);
    if (size < partChars) continue;
    yield `[${part.join()}]`;
    [part, size] = [[], 0];
  }
  if (part.length > 0) yield `[${part.join()}]`;
}

export const parsePart = (part: string): Manifest[] => JSON.parse(part);
