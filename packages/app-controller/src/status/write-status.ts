import { type Application, type ApplicationStatus, applicationKind } from '@fairlead/api';
import { at, equalJson, type Json, type JsonObject, toJson } from '@fairlead/apimachinery';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';

/** A change to an Application: fields of its status to set (undefined removes one), and whether its operation is removed. */
export interface Change {
  readonly status: Partial<{ [K in keyof ApplicationStatus]: ApplicationStatus[K] | undefined }>;
  readonly operation?: Application['operation'] | null;
  /** Fail if the Application has changed since it was read. */
  readonly exact?: boolean;
}

/** The client for writes of Applications, and the view that receives the responses. */
export type WriteEnv = Pick<ReconcileEnv, 'client'> & {
  readonly applications: Pick<ReconcileEnv['applications'], 'wrote'>;
};

/**
 * Writes the differences in one merge patch, or nothing if there are none. The response is recorded, so that the next reconcile of the
 * Application uses it.
 */
export async function writeChange(
  env: WriteEnv,
  application: Application,
  change: Change,
  signal?: AbortSignal,
): Promise<Application> {
  const status: JsonObject = {};
  for (const name of Object.keys(change.status)) {
    const patch = patchOf(at(application.status, name), at(change.status, name));
    if (patch !== undefined) status[name] = patch;
  }
  const body: JsonObject = {
    ...(Object.keys(status).length > 0 ? { status } : {}),
    ...(change.operation === undefined ? {} : { operation: toJson(change.operation) }),
  };
  if (Object.keys(body).length === 0) return application;
  const { resourceVersion = '' } = application.metadata;
  const written = await env.client.patch<Application>(
    applicationKind.type,
    keyOfApplication(application),
    'merge',
    change.exact ? { metadata: { resourceVersion }, ...body } : body,
    { fieldManager: 'argocd-controller', ...(signal ? { signal } : {}) },
  );
  env.applications.wrote(written);
  return written;
}

/** A merge patch keeps what it does not name, so an object that replaces another is sent with null for each key to remove. */
function patchOf(before: Json | undefined, after: Json | undefined): Json | undefined {
  if (equalJson(before, after)) return undefined;
  if (after === undefined) return before === undefined ? undefined : null;
  if (!isObject(before) || !isObject(after)) return after;
  const patch: JsonObject = {};
  for (const name of Object.keys(before)) if (after[name] === undefined) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const inner = patchOf(before[name], value);
    if (inner !== undefined) patch[name] = inner;
  }
  return patch;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
