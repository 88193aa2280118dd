import type { Json, JsonObject, KubeObject } from '@fairlead/apimachinery';
import { decodeYaml } from '../go-yaml/decode.ts';
import { YamlError } from '../go-yaml/index.ts';
import { parseYaml } from '../go-yaml/parser.ts';
import { RenderError } from '../render-error.ts';
import { messageOf } from '../util/errors.ts';

/** An object that a source describes, and where. Manifests are shared and cached: never mutate one. */
export interface Manifest {
  readonly object: KubeObject & JsonObject;
  readonly origin: { readonly path: string; readonly line: number };
}

const at = (path: string, line: number): string => `${path}:${line}`;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The manifests in a YAML or JSON file: several documents, lists unfolded, empty documents left out. As in Argo CD, a YAML file whose
 * first document is not an object with a kind, and whose text does not look like a manifest, is another kind of file and yields nothing:
 * a `Chart.yaml` and a `values.yaml` are not errors.
 */
export function parseManifests(path: string, text: string): Manifest[] {
  if (path.endsWith('.json')) return parseJson(path, text);
  const manifests: Manifest[] = [];
  let objects = 0;
  const isOther = (): boolean => objects === 0 && !looksLikeManifest(text);
  let line = 1;
  try {
    for (const document of parseYaml(text)) {
      line = document.line + 1;
      const value = decodeYaml(document);
      if (value === null) continue;
      if (!hasKind(value) && isOther()) return [];
      objects++;
      manifests.push(...unfold(value, { path, line }));
    }
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    if (isOther()) return [];
    throw new RenderError(
      'InvalidManifest',
      `${at(path, error.line ?? line)}: not valid YAML: ${error.message.replace(/^yaml: (?:line \d+: )?/u, '')}`,
    );
  }
  return manifests;
}

/** Deeper than anything that a cluster would take. */
const maxDepth = 1000;

function checkDepth(value: unknown, where: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth)
    throw new RenderError('InvalidManifest', `${where}: values are nested more than ${maxDepth} deep`);
  for (const inner of Object.values(value)) checkDepth(inner, where, depth + 1);
}

function parseJson(path: string, text: string): Manifest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RenderError('InvalidManifest', `${path}: not valid JSON: ${messageOf(error)}`);
  }
  checkDepth(value, path);
  return unfold(value, { path, line: 1 });
}

const looksLikeManifest = (text: string): boolean =>
  text.includes('apiVersion:') && text.includes('kind:') && text.includes('metadata:');

const hasKind = (value: unknown): boolean => isObject(value) && isName(value['kind']);

/** One object, or the items of a list, which Argo CD recognizes by `items`. Each must have an apiVersion, a kind and a name. */
export function unfold(value: unknown, origin: Manifest['origin']): Manifest[] {
  const where = at(origin.path, origin.line);
  const refuse = (what: string): never => {
    throw new RenderError('InvalidManifest', `${where}: ${what}`);
  };
  if (!isObject(value)) return refuse('expected an object with apiVersion, kind and metadata');
  const { apiVersion, kind, items } = value;
  if (typeof kind !== 'string' || kind === '') return refuse('the object has no kind');
  if (typeof apiVersion !== 'string' || apiVersion === '') return refuse(`the ${kind} has no apiVersion`);
  if (Array.isArray(items)) return items.flatMap((item) => unfold(item, origin));
  if (items === null && !('spec' in value) && !('status' in value)) return [];
  const metadata = value['metadata'];
  if (!isObject(metadata)) return refuse(`the ${kind} has no metadata.name`);
  const { name, generateName } = metadata;
  if (!isName(name) && !isName(generateName)) return refuse(`the ${kind} has no metadata.name`);
  for (const map of ['labels', 'annotations'] as const)
    checkTexts(metadata[map], `${kind} ${name}: metadata.${map}`, refuse);
  return [{ object: value as KubeObject & JsonObject, origin }];
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The commonest slip in hand-written manifests is an unquoted `true` or number among labels; the server's own answer names no file. */
function checkTexts(map: Json | undefined, what: string, refuse: (what: string) => never): void {
  if (map === undefined || map === null) return;
  const entries = isObject(map) ? Object.entries(map) : refuse(`${what} must be a map of text to text`);
  for (const [key, value] of entries) {
    if (typeof value !== 'string' && value !== null)
      refuse(`${what}.${key} is ${JSON.stringify(value)}: put it in quotes`);
  }
}
