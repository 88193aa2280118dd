import { isJsonObject, type JsonObject, type Unstructured, unstructured } from '@fairlead/apimachinery/primitives';
import { goJson } from '../go-json/index.ts';
import { RenderError, type RenderErrorReason } from '../render-error.ts';

/**
 * An object that a source describes, and where. It has a kind; like Argo CD, a render does not require an apiVersion, a name or labels
 * that are text: a comparison lists such an object, and a sync fails at it. Manifests are shared and cached: never mutate one.
 */
export interface Manifest {
  readonly object: Unstructured;
  readonly origin: { readonly path: string; readonly line: number };
}

/** One object, or the items of a list, which Argo CD recognizes by `items`. Throws if one of them has no kind. */
export function unfold(
  value: unknown,
  origin: Manifest['origin'],
  reason: RenderErrorReason = 'InvalidManifest',
): Manifest[] {
  const problem = problemOf(value);
  if (problem !== undefined || !isJsonObject(value)) throw new RenderError(reason, problem ?? '');
  const { items } = value;
  if (Array.isArray(items)) return items.flatMap((item) => unfold(item, origin, reason));
  if (items === null && !('spec' in value) && !('status' in value)) return [];
  return [{ object: complete(value), origin }];
}

/** Go's error for a value that is not an object with a kind. */
export function problemOf(value: unknown, print: (value: JsonObject) => string = goJson): string | undefined {
  if (!isJsonObject(value))
    return `json: cannot unmarshal ${typeName(value)} into Go value of type map[string]interface {}`;
  const { metadata = null } = value;
  if (metadata !== null && !isJsonObject(metadata))
    return `.metadata.annotations accessor error: ${String(metadata)} is of the type ${typeName(metadata)}, expected map[string]interface {}`;
  return hasKind(value) ? undefined : `Object 'Kind' is missing in '${clipped(print(value))}'`;
}

/** Go reads no kind from an object whose apiVersion has more than a group and a version. */
const hasKind = ({ apiVersion, kind }: JsonObject): boolean =>
  typeof kind === 'string' && kind !== '' && !(typeof apiVersion === 'string' && apiVersion.split('/').length > 2);

const typeName = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** The longest object that a message shows. */
const maxShown = 500;

const clipped = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

/** An object with the fields that all code relies on, empty where it lacks them. It may still have no name. */
function complete(value: JsonObject): Unstructured {
  const { apiVersion, metadata } = value;
  if (typeof apiVersion === 'string' && isJsonObject(metadata)) return unstructured(value);
  return unstructured({
    ...value,
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    metadata: isJsonObject(metadata) ? metadata : {},
  });
}
