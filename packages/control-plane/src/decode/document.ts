import {
  apiError,
  type Document,
  describeSyntaxError,
  type Json,
  maxDepth,
  protobufType,
  surveyJson,
} from '@fairlead/apimachinery';
import { readYaml } from './yaml-document.ts';

export type MediaType = 'json' | 'yaml' | 'protobuf';

const mediaTypes: readonly (readonly [string, MediaType])[] = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  [protobufType, 'protobuf'],
];

/** A missing content type is JSON. Custom resources have no protobuf form. */
export function mediaTypeOf(contentType: string, custom = false): MediaType {
  const given = contentType.split(';')[0]!.trim().toLowerCase() || 'application/json';
  const accepted = mediaTypes.filter(([, type]) => !custom || type !== 'protobuf');
  const found = accepted.find(([name]) => name === given);
  if (found) return found[1];
  const names = accepted.map(([name]) => name).join(', ');
  throw apiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${names}`,
  );
}

/** Errors have the message of Go, without the position. YAML that is JSON, as most is, is parsed as JSON. */
export function readDocument(text: string, type: 'json' | 'yaml'): Document | { readonly problem: string } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return type === 'json' ? { problem: describeSyntaxError(text) } : readYamlDocument(text);
  }
  // A YAML scalar may look like a JSON number and be text: 1e400.
  if (type === 'yaml' && (typeof value !== 'object' || value === null)) return readYamlDocument(text);
  const survey = surveyJson(text);
  if (survey.depth > maxDepth) return { problem: 'exceeded max depth' };
  return { value, json: { text, survey } };
}

function readYamlDocument(text: string): Document | { readonly problem: string } {
  const yaml = readYaml(text);
  return 'problem' in yaml ? yaml : { value: yaml.value, yamlDuplicates: yaml.duplicates };
}

/** Any JSON value: patches, applied configurations. */
export function decodeDocument(body: string, contentType: 'application/json' | 'application/yaml'): Json {
  const type = contentType === 'application/yaml' ? 'yaml' : 'json';
  const document = readDocument(body, type);
  if (!('problem' in document)) return document.value;
  const problem =
    type === 'yaml' ? `error decoding YAML: error converting YAML to JSON: ${document.problem}` : document.problem;
  throw apiError(400, 'BadRequest', problem);
}
