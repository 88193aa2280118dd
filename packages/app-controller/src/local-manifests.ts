import { type Manifest, parseManifests } from '@fairlead/render';

/** Manifests that a person sent along instead of what the source says: JSON or YAML, one or more objects in each text. */
export const localManifests = (texts: readonly string[]): Manifest[] =>
  texts.flatMap((text, i) => parseManifests(`operation.sync.manifests[${i}]`, text));
