/** The part that needs no type table, for render workers and others that must start fast. */
export { closest } from './closest.ts';
export { elementAt, getOrCreate, memoized, must } from './collections.ts';
export { formatGoDuration, parseGoDuration } from './duration.ts';
export { messageOf } from './error-message.ts';
export { GlobError, globMatcher } from './glob/glob.ts';
export { type ImageReferenceParts, splitImageReference } from './image-reference.ts';
export { isJsonObject } from './json/json-at.ts';
export type { Json, JsonObject } from './json/json-value.ts';
export { type KubeObject, type Unstructured, unstructured } from './meta/object.ts';
export { mergePatch } from './patch/merge-patch.ts';
export { parseLabelSelector, type Selector } from './selectors/label-selector.ts';
