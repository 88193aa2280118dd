import {
  apiVersionOf,
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  at,
  copyJson,
  decodeValue,
  fieldError,
  formatSelector,
  formatTime,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  must,
  numberAt,
  parentManagedFields,
  scaleManagedFields,
  selectorFromObject,
  updateManagedFields,
} from '@fairlead/apimachinery';
import type { PatchType } from '@fairlead/kube';
import { builtinSchema } from '../builtin-schema.ts';
import { decodeDocument } from '../decode/index.ts';
import { refuse } from '../errors.ts';
import type { WriteOptionsIn } from '../requests/options.ts';
import type { Draft, Resource } from '../resource.ts';
import type { Api, WriteRequest, Written } from './api.ts';
import { requireSameIdentity } from './create.ts';
import { updateObject } from './update.ts';

const scaleSchema = () => builtinSchema('autoscaling', 'v1', 'Scale');
const scaleKind = { group: 'autoscaling', kind: 'Scale', plural: 'scales' };

const scaleOf = ({ scale, kind }: Resource) => must(scale, `the scale subresource of ${kind}`);

/** The Scale of an object with replicas. */
export function readScale(resource: Resource, object: KubeObject): Draft {
  const paths = scaleOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = countAt(object, paths.specReplicas);
  const managers = scaleManagedFields(object.metadata.managedFields, partsOf(paths.specReplicas));
  const selector = paths.labelSelector ? valueAt(object, paths.labelSelector) : undefined;
  const selectorText =
    typeof selector === 'string'
      ? selector
      : selector
        ? formatSelector(selectorFromObject(isJsonObject(selector) ? selector : {}))
        : '';
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(creationTimestamp ? { creationTimestamp } : {}),
      ...(managers.length > 0 ? { managedFields: managers } : {}),
    },
    spec: replicas ? { replicas } : {},
    status: {
      replicas: countAt(object, paths.statusReplicas),
      ...(selectorText ? { selector: selectorText } : {}),
    },
  };
}

export function replaceScale(api: Api, request: WriteRequest, scale: Draft): Written {
  requireSameIdentity(request, scale);
  return writeScale(api, request, () => scale);
}

export function patchScale(
  api: Api,
  request: WriteRequest,
  type: PatchType,
  body: string,
  options: Pick<WriteOptionsIn, 'force' | 'fieldValidation'>,
): Written {
  const document = decodeDocument(body, type === 'apply' ? 'application/yaml' : 'application/json');
  return writeScale(api, request, (current) => {
    const patched = patchedScale(api, request, type, current, document, options.force);
    const decoded = decodeValue(patched, scaleSchema(), { fieldValidation: options.fieldValidation });
    if ('problem' in decoded) {
      throw refuse.invalid({ group: '', kind: '' }, '', [
        fieldError.invalid('patch', JSON.stringify(patched), decoded.problem),
      ]);
    }
    for (const warning of decoded.warnings) request.warn(warning);
    return decoded.draft;
  });
}

function patchedScale(
  api: Api,
  request: WriteRequest,
  type: PatchType,
  current: Draft,
  document: Json,
  force: boolean,
): Json {
  if (type === 'json') return applyJsonPatch(current, document);
  if (type === 'merge') return applyMergePatch(current, document);
  if (type === 'strategic') return applyStrategicPatch(current, asObject(document), scaleSchema());
  return applyConfiguration({
    live: current,
    config: asObject(document),
    schema: scaleSchema(),
    manager: request.manager,
    apiVersion: 'autoscaling/v1',
    subresource: 'scale',
    force,
    now: formatTime(api.clock.now()),
    resetFields: [['status']],
  }).object;
}

function writeScale(api: Api, request: WriteRequest, change: (current: Draft) => Draft): Written {
  const { resource } = request;
  const written = updateObject(api, request, {
    managedFieldsDone: true,
    transform(next) {
      const current = readScale(resource, next);
      const scale = change(copyJson(current));
      const replicas = numberAt(scale, 'spec', 'replicas');
      if (replicas < 0) {
        throw refuse.invalid(scaleKind, request.name, [
          fieldError.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
        ]);
      }
      setAt(next, scaleOf(resource).specReplicas, replicas);
      bookReplicas(api, request, next, current, scale);
      const { resourceVersion, uid } = scale.metadata;
      if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
      if (uid) next.metadata.uid = uid;
      return next;
    },
  });
  const { managedFields: _, ...metadata } = written.object.metadata;
  const { text: _text, ...rest } = written;
  return { ...rest, object: readScale(resource, { ...written.object, metadata }) };
}

/** The ownership of the replicas is computed on the Scale, and transferred to the object. */
function bookReplicas(api: Api, request: WriteRequest, next: Draft, current: Draft, scale: Draft): void {
  const { resource } = request;
  const booked =
    request.manager === ''
      ? current.metadata.managedFields
      : scale.metadata.managedFields !== undefined &&
          scale.metadata.managedFields !== current.metadata.managedFields &&
          isApplied(scale, request.manager)
        ? scale.metadata.managedFields
        : updateManagedFields({
            live: current,
            next: scale,
            schema: scaleSchema(),
            manager: request.manager,
            apiVersion: 'autoscaling/v1',
            subresource: 'scale',
            now: formatTime(api.clock.now()),
            resetFields: [['status']],
          });
  const entries = parentManagedFields(
    next.metadata.managedFields,
    booked,
    apiVersionOf(resource),
    partsOf(scaleOf(resource).specReplicas),
  );
  if (entries.length > 0) next.metadata.managedFields = entries;
  else delete next.metadata.managedFields;
}

const isApplied = (scale: Draft, manager: string): boolean =>
  (scale.metadata.managedFields ?? []).some((entry) => entry.manager === manager && entry.operation === 'Apply');

/** Patches are objects: other documents were rejected when they were decoded. */
function asObject(document: Json): JsonObject {
  if (isJsonObject(document)) return document;
  throw refuse.badRequest('the patch is not an object');
}

const partsOf = (path: string): string[] => path.split('.').filter(Boolean);

const valueAt = (object: KubeObject, path: string): Json | undefined => at(object, ...partsOf(path));

const countAt = (object: KubeObject, path: string): number => numberAt(object, ...partsOf(path));

function setAt(object: Draft, path: string, value: number): void {
  const parts = partsOf(path);
  const last = must(parts.pop(), 'the path of replicas');
  let target: JsonObject = object;
  for (const part of parts) {
    const next = target[part];
    target = isJsonObject(next) ? next : (target[part] = {});
  }
  target[last] = value;
}
