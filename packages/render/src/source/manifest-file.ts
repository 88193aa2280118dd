import { decodeYaml } from '../go-yaml/decode.ts';
import { quote } from '../go-yaml/go-syntax.ts';
import { parseYaml } from '../go-yaml/parser.ts';
import { type DocumentText, splitDocuments } from '../go-yaml/split-documents.ts';
import { YamlError } from '../go-yaml/yaml-error.ts';
import { RenderError } from '../render-error.ts';
import { jsonSyntaxError } from '../sprig/json-syntax.ts';
import { type Manifest, problemOf, unfold } from './manifest.ts';

/**
 * The manifests in a YAML or JSON file of a folder: several documents, lists expanded, empty documents omitted. As in Argo CD, a YAML file
 * whose first document is not an object with a kind, and whose text does not look like a manifest, is another kind of file and yields
 * nothing: a `Chart.yaml` and a `values.yaml` are not errors. The messages equal those of Argo CD.
 */
export function parseManifests(path: string, text: string): Manifest[] {
  return path.endsWith('.json') ? readJsonFile(path, text) : readYamlFile(path, text);
}

/** The quoted name of a file without its directory, as in messages of Argo CD. */
export const baseName = (path: string): string => quote(path.slice(path.lastIndexOf('/') + 1));

const invalid = (message: string): RenderError => new RenderError('InvalidManifest', message);

function readYamlFile(path: string, text: string): Manifest[] {
  const manifests: Manifest[] = [];
  let objects = 0;
  try {
    for (const part of splitDocuments(text)) {
      const read = readDocument(part);
      if (read === undefined) continue;
      const { line } = read;
      const problem = problemOf(read.value);
      if (problem !== undefined) throw new YamlError(`error unmarshaling JSON: while decoding JSON: ${problem}`);
      objects++;
      manifests.push(...unfold(read.value, { path, line }));
    }
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    if (objects === 0 && !looksLikeManifest(text)) return [];
    throw invalid(`Failed to unmarshal ${baseName(path)}: failed to unmarshal manifest: ${error.message}`);
  }
  return manifests;
}

/** The first value of a document and its line in the file; undefined if the document is empty. */
function readDocument({ text, line }: DocumentText): { value: unknown; line: number } | undefined {
  try {
    for (const node of parseYaml(text)) {
      const value = decodeYaml(node);
      return value === null ? undefined : { value, line: line + node.line };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new YamlError(`error converting YAML to JSON: ${error.message}`);
  }
}

const looksLikeManifest = (text: string): boolean =>
  text.includes('apiVersion:') && text.includes('kind:') && text.includes('metadata:');

function readJsonFile(path: string, text: string): Manifest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { message } = jsonSyntaxError(text);
    if (message.endsWith('after top-level value'))
      throw invalid(`Found multiple objects in ${baseName(path)}. Only single objects are allowed in JSON files.`);
    const end = text.trim() === '' ? 'EOF' : 'unexpected EOF';
    throw invalid(`Failed to unmarshal ${baseName(path)}: ${message.replace('unexpected end of JSON input', end)}`);
  }
  checkDepth(path, value);
  const problem = problemOf(value);
  if (problem !== undefined) throw invalid(`Failed to unmarshal ${baseName(path)}: ${problem}`);
  return unfold(value, { path, line: 1 });
}

/** Deeper than a cluster would accept. */
const maxDepth = 1000;

function checkDepth(path: string, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth)
    throw invalid(`Failed to unmarshal ${baseName(path)}: values are nested more than ${maxDepth} deep`);
  for (const inner of Object.values(value)) checkDepth(path, inner, depth + 1);
}
