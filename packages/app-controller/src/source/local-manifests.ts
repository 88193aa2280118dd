import { type Manifest, parseManifests, RenderError } from '@fairlead/render';

/** Local manifests sent by a user instead of the source: JSON or YAML, one or more objects in each text. */
export function localManifests(texts: readonly string[]): Manifest[] {
  return texts.flatMap((text, i) => {
    const where = `operation.sync.manifests[${i}]`;
    const found = parseManifests(where, text);
    if (found.length > 0 || text.trim() === '') return found;
    throw new RenderError('InvalidManifest', `${where}: contains no object: write objects as JSON or YAML`);
  });
}
