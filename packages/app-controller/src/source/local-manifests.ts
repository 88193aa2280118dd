import { type Manifest, parseManifests, RenderError } from '@fairlead/render';

/** Manifests that a person sent along instead of what the source says: JSON or YAML, one or more objects in each text. */
export function localManifests(texts: readonly string[]): Manifest[] {
  return texts.flatMap((text, i) => {
    const where = `operation.sync.manifests[${i}]`;
    const found = parseManifests(where, text);
    if (found.length > 0 || text.trim() === '') return found;
    throw new RenderError('InvalidManifest', `${where}: contains no object: write objects as JSON or YAML`);
  });
}
