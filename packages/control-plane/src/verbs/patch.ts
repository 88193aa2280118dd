import {
  apiError,
  apiVersionOf,
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  decodeValue,
  duplicateFields,
  fieldError,
  formatTime,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@fairlead/apimachinery';
import type { PatchType } from '@fairlead/kube';
import { decodeDocument } from '../decode/index.ts';
import { refuse } from '../errors.ts';
import type { WriteOptionsIn } from '../requests/options.ts';
import type { Draft, Resource } from '../resource.ts';
import type { Api, WriteRequest, Written } from './api.ts';
import { requireSameIdentity } from './create.ts';
import { ownKind } from './patched-kind.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { conversionAmong } from './served-versions.ts';
import { updateObject } from './update.ts';

const mediaTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** The patch type of a content type. Strategic merge needs merge keys, which custom resources do not have. */
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
  const document = decodeDocument(body, 'application/json');
  const duplicates = options.fieldValidation === 'Ignore' ? [] : duplicateFields(body, document);
  return updateObject(api, request, {
    transform(old) {
      const findings: string[] = [...duplicates];
      const patched = patchedValue(type, old, document, request.resource, options, findings);
      const draft = decodePatched(request, type, patched, document, options, findings);
      requireSameIdentity(request, draft);
      return draft;
    },
  });
}

/** A merge patch with a canonical result, which is used unchanged. */
export function mergeObject(api: Api, request: WriteRequest, patch: JsonObject): Written {
  return updateObject(api, request, {
    transform(old) {
      const draft = applyMergePatch(old, patch) as Draft;
      requireSameIdentity(request, draft);
      return draft;
    },
  });
}

function patchedValue(
  type: PatchType,
  old: Draft,
  document: Json,
  resource: Resource,
  options: Pick<WriteOptionsIn, 'fieldValidation'>,
  findings: string[],
): Json {
  const strict = options.fieldValidation !== 'Ignore';
  if (type === 'json') return applyJsonPatch(old, document, { strict, warn: (message) => void findings.push(message) });
  if (type === 'merge') return applyMergePatch(old, document, { strict });
  return applyStrategicPatch(old, document, resource.schema);
}

/** The patched object must still be valid for its kind. Errors are reported for the patch. */
function decodePatched(
  request: WriteRequest,
  type: PatchType,
  patched: Json,
  document: Json,
  options: Pick<WriteOptionsIn, 'fieldValidation'>,
  findings: readonly string[],
): Draft {
  const { resource } = request;
  const invalid = (detail: string) => {
    const value = type === 'strategic' ? goMap(document) : JSON.stringify(patched);
    return refuse.invalid({ group: '', kind: '' }, '', [fieldError.invalid('patch', value, detail)]);
  };
  if (typeof patched !== 'object' || patched === null || Array.isArray(patched))
    throw invalid('the patched value is not an object');
  const owned = ownKind(patched, resource, type, request.name);
  if (!owned) {
    throw invalid(
      `no kind ${JSON.stringify(patched['kind'] ?? '')} is registered for version ${JSON.stringify(patched['apiVersion'] ?? '')}`,
    );
  }
  const decoded = decodeValue(owned, resource.schema, {
    fieldValidation: options.fieldValidation,
    inKeyOrder: true,
    ...(resource.custom ? { custom: true } : {}),
  });
  if ('problem' in decoded) throw invalid((type === 'strategic' && decoded.conversion) || decoded.problem);
  if (options.fieldValidation === 'Strict' && findings.length > 0) {
    throw invalid(`strict decoding error: ${findings.join(', ')}`);
  }
  for (const warning of [...findings, ...decoded.warnings]) request.warn(warning);
  decoded.draft.metadata ??= {} as Draft['metadata'];
  return decoded.draft;
}

/** A decoded patch in the format of Go. */
function goMap(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (value === null) return '<nil>';
  if (typeof value !== 'object') return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goMap(value[key] ?? null)}`);
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
  if (!isJsonObject(config)) {
    throw refuse.badRequest('error decoding YAML: the applied configuration is not an object');
  }
  const apply = (live: Draft | undefined): Draft => {
    const { object } = applyConfiguration({
      live,
      config,
      kind: resource.kind,
      convert: conversionAmong(resource, () => api.registry.all()),
      schema: resource.schema,
      manager: request.manager,
      apiVersion: apiVersionOf(resource),
      subresource: request.subresource,
      force: options.force,
      now: formatTime(api.clock.now()),
      resetFields: resetFieldsOf(resource, request.subresource),
      defaults: (merged) => decodeMerged(request, merged, options),
    });
    requireSameIdentity(request, object);
    return object;
  };
  return updateObject(api, request, { managedFieldsDone: true, transform: apply, create: () => apply(undefined) });
}

/** The merged result is decoded as its kind, with defaults, before its fields are compared with those of other managers. */
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
