import { decodeYaml } from './decode.ts';
import { parseYaml } from './parser.ts';
import { YamlError } from './yaml-error.ts';

export interface ReadYamlOptions {
  /** A key that occurs twice in a map is an error; else the last one counts. */
  readonly uniqueKeys?: boolean;
}

/**
 * The first document of a text, as sigs.k8s.io/yaml reads it into `any`: YAML 1.1 as goyaml.v2 knows it, keys as text, all numbers
 * float64. An empty text is null.
 */
export function readYaml(text: string, options: ReadYamlOptions = {}): unknown {
  try {
    for (const document of parseYaml(text)) return decodeYaml(document, options);
    return null;
  } catch (error) {
    throw converted(error);
  }
}

/** All documents of a text, each read as `readYaml` reads one. */
export function readYamlDocuments(text: string, options: ReadYamlOptions = {}): unknown[] {
  try {
    return Array.from(parseYaml(text), (document) => decodeYaml(document, options));
  } catch (error) {
    throw converted(error);
  }
}

const converted = (error: unknown): unknown =>
  error instanceof YamlError ? new YamlError(`error converting YAML to JSON: ${error.message}`, error.line) : error;
