import { decodeYaml } from './decode.ts';
import { parseYaml } from './parser.ts';
import { YamlError } from './yaml-error.ts';

export interface ReadYamlOptions {
  /** A duplicate key is an error. By default, the last one is used. */
  readonly uniqueKeys?: boolean;
}

/**
 * Reads the first document of a text like sigs.k8s.io/yaml into `any`: YAML 1.1 of goyaml.v2, keys as text, all numbers as float64. An
 * empty text is null.
 */
export function readYaml(text: string, options: ReadYamlOptions = {}): unknown {
  try {
    for (const document of parseYaml(text)) return decodeYaml(document, options);
    return null;
  } catch (error) {
    throw converted(error);
  }
}

/** Reads all documents of a text like `readYaml`. */
export function readYamlDocuments(text: string, options: ReadYamlOptions = {}): unknown[] {
  try {
    return Array.from(parseYaml(text), (document) => decodeYaml(document, options));
  } catch (error) {
    throw converted(error);
  }
}

const converted = (error: unknown): unknown =>
  error instanceof YamlError ? new YamlError(`error converting YAML to JSON: ${error.message}`, error.line) : error;
