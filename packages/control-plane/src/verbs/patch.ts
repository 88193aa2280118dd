import { apiError, apiVersionOf, type Json, type JsonObject, type PatchType } from '@fairlead/kube';
import { decodeDocument, decodeValue } from '../decode/index.ts';
import { refuse } from '../errors.ts';
import { fieldError } from '../field-error.ts';
import { applyConfiguration, applyJsonPatch, applyMergePatch, applyStrategicPatch } from '../patch/index.ts';
import type { WriteOptionsIn } from '../requests/options.ts';
import type { Draft, Resource } from '../resource.ts';
import { type Api, timestamp, type WriteRequest, type Written } from './api.ts';
import { requireSameIdentity } from './create.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { updateObject } from './update.ts';

const mediaTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Which kind of patch a content type names. Strategic merge needs merge keys, which custom resources do not have. */
export function patchTypeOf(contentType: string | undefined, resource: Resource): PatchType {
  const media = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  const type = mediaTypes[media];
  if (!type) throw apiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  if (type === 'strategic' && resource.custom) {
    throw refuse.unsupportedMedia([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
  }
  return type;
}

export function patchObject(
  api: Api,
  request: WriteRequest,
  type: PatchType,
  body: string,
  options: Pick<WriteOptionsIn, 'force' | 'fieldValidation'>,
): Written {
  if (type === 'apply') return applyObject(api, request, body, options);
  const document = parsePatch(type, body);
  return updateObject(api, request, {
    transform(old) {
      const patched = patchedValue(type, old as Draft, document, request.resource);
      const draft = decodePatched(request, patched, type === 'strategic' ? document : patched, options);
      requireSameIdentity(request, draft);
      return draft;
    },
  });
}

function patchedValue(type: PatchType, old: Draft, document: Json, resource: Resource): Json {
  if (type === 'json') return applyJsonPatch(old, document);
  if (type === 'merge') return applyMergePatch(old, document);
  return applyStrategicPatch(old, document as JsonObject, resource.schema);
}

/** A bad patch is a bad request; JSON Patch must be a list, the merges an object. */
function parsePatch(type: PatchType, body: string): Json {
  const document = decodeDocument(body, 'application/json');
  const shape = Array.isArray(document) ? 'array' : document === null ? 'null' : typeof document;
  const wanted = type === 'json' ? 'array' : 'object';
  if (shape === wanted) return document;
  const into = type === 'json' ? 'jsonpatch.Patch' : 'map[string]interface {}';
  throw refuse.badRequest(`json: cannot unmarshal ${shape} into Go value of type ${into}`);
}

/** The patched object must still be one of its kind. What is wrong with it is said of the patch. */
function decodePatched(
  request: WriteRequest,
  patched: Json,
  shown: Json,
  options: Pick<WriteOptionsIn, 'fieldValidation'>,
): Draft {
  const { resource } = request;
  const invalid = (detail: string) => {
    const value = shown === patched ? JSON.stringify(shown) : goMap(shown);
    return refuse.invalid({ group: '', kind: '' }, '', [fieldError.invalid('patch', value, detail)]);
  };
  if (typeof patched !== 'object' || patched === null || Array.isArray(patched))
    throw invalid('the patched object is no object');
  if (patched['kind'] !== resource.kind || patched['apiVersion'] !== apiVersionOf(resource)) {
    throw invalid(
      `no kind ${JSON.stringify(patched['kind'] ?? '')} is registered for version ${JSON.stringify(patched['apiVersion'] ?? '')}`,
    );
  }
  const decoded = decodeValue(patched, resource.schema, {
    fieldValidation: options.fieldValidation,
    ...(resource.custom ? { custom: true } : {}),
  });
  if ('problem' in decoded) throw invalid(decoded.problem);
  for (const warning of decoded.warnings) request.warn(warning);
  return decoded.draft;
}

/** How Go prints a decoded patch. */
function goMap(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (value === null) return '<nil>';
  if (typeof value !== 'object') return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goMap(value[key]!)}`);
  return `map[${entries.join(' ')}]`;
}

function applyObject(
  api: Api,
  request: WriteRequest,
  body: string,
  options: Pick<WriteOptionsIn, 'force' | 'fieldValidation'>,
): Written {
  const { resource } = request;
  const config = decodeDocument(body, 'application/yaml');
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw refuse.badRequest('error decoding YAML: the applied configuration is no object');
  }
  return updateObject(api, request, {
    createIfMissing: true,
    managedFieldsDone: true,
    transform(old) {
      checkAppliedType(resource, config);
      const draft = config as Draft;
      draft.metadata ??= {} as Draft['metadata'];
      requireSameIdentity(request, draft);
      return applyConfiguration({
        live: old,
        config: draft,
        schema: resource.schema,
        manager: request.manager,
        apiVersion: apiVersionOf(resource),
        subresource: request.subresource,
        force: options.force,
        now: timestamp(api.clock.now()),
        resetFields: resetFieldsOf(resource, request.subresource),
        defaults: (merged) => decodeMerged(request, merged, options),
      }).object;
    },
  });
}

/** What was merged is made an object of its kind, with defaults, before its fields are compared with those of others. */
function decodeMerged(
  request: WriteRequest,
  merged: JsonObject,
  options: Pick<WriteOptionsIn, 'fieldValidation'>,
): JsonObject {
  const { resource } = request;
  const decoded = decodeValue(merged, resource.schema, {
    fieldValidation: options.fieldValidation,
    ...(resource.custom ? { custom: true } : {}),
  });
  if ('problem' in decoded) throw refuse.badRequest(decoded.problem);
  for (const warning of decoded.warnings) request.warn(warning);
  resource.rules.default?.(decoded.draft);
  return decoded.draft;
}

function checkAppliedType(resource: Resource, config: JsonObject): void {
  const apiVersion = typeof config['apiVersion'] === 'string' ? config['apiVersion'] : '';
  const kind = typeof config['kind'] === 'string' ? config['kind'] : '';
  if (apiVersion === apiVersionOf(resource) && kind === resource.kind) return;
  const shown = apiVersion === '' ? '/' : apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw refuse.badRequest(`invalid object type: ${shown}, Kind=${kind}`);
}
