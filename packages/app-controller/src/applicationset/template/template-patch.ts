import {
  type ApiError,
  applyStrategicPatch,
  decodeTyped,
  escapeHtml,
  goQuote,
  isJsonObject,
  type Json,
  type JsonObject,
  messageOf,
  TypeMismatch,
  toJson,
} from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import { applicationType } from '../applications/go-shape.ts';
import { TemplateError } from './text-renderer.ts';

/** The Application with a rendered patch applied: a strategic merge patch, in YAML or JSON. The project stays as it is. */
export function applyTemplatePatch(application: JsonObject, text: string): JsonObject {
  const { patch, json } = parsePatch(text);
  try {
    if (patch !== null && !isJsonObject(patch)) throw new TypeMismatch(cannotBe(patch), '');
    decodeTyped(patch ?? {}, applicationType());
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw new TemplateError(`invalid templatePatch ${goQuote(json)}: ${error.message}`);
  }
  try {
    const patched = applyStrategicPatch(application, patch ?? {}, applicationType());
    return withProject(decodeTyped(patched, applicationType()).object, application);
  } catch (error) {
    if (!(error instanceof TypeMismatch) && !isApiError(error)) throw error;
    const why = `error while applying templatePatch template to json ${goQuote(json)}: ${messageOf(error)}`;
    throw new TemplateError(why);
  }
}

const isApiError = (error: unknown): error is ApiError => error instanceof Error && 'status' in error;

const cannotBe = (value: Json): string => {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type v1alpha1.Application`;
};

function withProject(patched: JsonObject, original: JsonObject): JsonObject {
  const before = isJsonObject(original['spec']) ? original['spec']['project'] : undefined;
  const spec = isJsonObject(patched['spec']) ? patched['spec'] : {};
  return { ...patched, spec: { ...spec, project: before ?? '' } };
}

/** The patch, and its text in JSON. */
function parsePatch(text: string): { patch: Json; json: string } {
  if (text.trimStart().startsWith('{')) {
    try {
      return { patch: JSON.parse(text), json: text };
    } catch (error) {
      throw new TemplateError(`invalid templatePatch ${goQuote(text)}: ${messageOf(error)}`);
    }
  }
  try {
    const patch = toJson(readYaml(text) ?? null);
    return { patch, json: escapeHtml(JSON.stringify(sorted(patch))) };
  } catch (error) {
    throw new TemplateError(`error while converting template to json ${goQuote(text)}: ${messageOf(error)}`);
  }
}

/** Keys in order, as Go writes them. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
