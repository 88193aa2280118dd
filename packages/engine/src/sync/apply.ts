import {
  ApiError,
  find,
  isAlreadyExists,
  isConflict,
  type KubeObject,
  objectAt,
  type ResourceType,
  unstructured,
} from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { createMergePatch } from '../diff/create-merge-patch.ts';
import { diff } from '../diff/diff.ts';
import { ignoreFields } from '../diff/ignore.ts';
import { lastAppliedAnnotation, lastAppliedText } from '../diff/last-applied.ts';
import { clientSideManagers, migrateManagedFields } from './migrate-managed-fields.ts';
import { isDefinition } from './plan-sync.ts';

export const fieldManager = 'argocd-controller';

export interface ApplyOptions {
  readonly signal?: AbortSignal;
  readonly dryRun?: boolean;
  readonly serverSide?: boolean;
  /** Whose client-side fields server-side apply takes over, besides our own; `false` leaves all where they are. */
  readonly migrateFrom?: string | false;
  /** Replace the whole object, and do not merge. */
  readonly replace?: boolean;
  /** Delete and create again where the server refuses the change. */
  readonly force?: boolean;
  /** Whether a field that the server does not know is an error. */
  readonly validate?: boolean;
  /** Fields to leave as they are in the cluster, as JSON pointers. */
  readonly ignore?: readonly string[];
  /** As far as is known there is no such object: it is created without a read, and read only when there is one after all. */
  readonly isNew?: boolean;
  /** Called with each version that was written. */
  readonly onWritten?: (object: KubeObject) => void;
  /** Lets time pass while a deleted object goes; without it, it must go at once. */
  readonly wait?: (ms: number) => Promise<void>;
}

export type ApplyResult = 'created' | 'configured' | 'unchanged' | 'replaced' | 'updated' | 'serverside-applied';

/** Beyond this the annotation does not fit: such an object is diffed two ways. */
const maxAnnotationBytes = 262_144;

/**
 * Makes a live object agree with a desired one, as `kubectl apply` does: created with what was applied in an annotation, or changed by
 * the difference alone. The change is bound to the version it was computed from; when another writer came between, it is computed again.
 */
export async function apply(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions = {},
): Promise<ApplyResult> {
  for (let attempt = 0; ; attempt++) {
    try {
      return options.serverSide
        ? await applyServerSide(client, type, desired, options)
        : await attemptApply(client, type, desired, options);
    } catch (error) {
      if (isConflict(error) && attempt < 5) continue;
      if (!options.force || !(error instanceof ApiError) || error.reason !== 'Invalid') throw error;
      // The server cannot be asked what it would say to a change that deletes first: whether it would take the new object is enough.
      if (options.dryRun) return dryRunCreate(client, type, desired, options);
      return recreate(client, type, desired, options);
    }
  }
}

async function attemptApply(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const write = writeOptions(options);
  const key = keyOfObject(desired);
  const marked = options.replace ? desired : withLastApplied(desired);
  const live = options.isNew ? undefined : await findLive(client, type, desired, options);
  if (!live) {
    try {
      written(await client.create(type, marked, write), options);
      return 'created';
    } catch (error) {
      if (!options.isNew || !isAlreadyExists(error)) throw error;
      return attemptApply(client, type, desired, { ...options, isNew: false });
    }
  }
  const { resourceVersion } = live.metadata;
  if (options.replace) {
    const body = withIgnoredFields(desired, live, options);
    const next = { ...body, metadata: { ...body.metadata, resourceVersion: resourceVersion! } };
    written(await client.replace(type, next, write), options);
    return isDefinition(desired) || desired.kind === 'Namespace' ? 'updated' : 'replaced';
  }
  const predicted = withAnnotation(
    diff(marked, live, { ignore: options.ignore ?? [] }).predicted,
    marked.metadata.annotations?.[lastAppliedAnnotation],
  );
  const patch = createMergePatch(live, predicted);
  if (!patch) return 'unchanged';
  const body = { ...patch, metadata: { ...objectAt(patch, 'metadata'), resourceVersion } };
  written(await client.patch(type, key, 'merge', body, write), options);
  return 'configured';
}

async function applyServerSide(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const { migrateFrom, dryRun, ignore = [] } = options;
  const migrates = migrateFrom !== false && !dryRun;
  const live = migrates || ignore.length > 0 ? await findLive(client, type, desired, options) : undefined;
  if (live && migrates) {
    const from = migrateFrom ? [migrateFrom, fieldManager] : clientSideManagers;
    await migrateManagedFields(client, type, live, fieldManager, { from, ...readOptions(options) });
  }
  const body = live ? withIgnoredFields(desired, live, options) : desired;
  const how = { ...writeOptions(options), force: true };
  written(await client.patch(type, keyOfObject(desired), 'apply', body, how), options);
  return 'serverside-applied';
}

/** The desired object with the fields that are to be left alone as they are. */
const withIgnoredFields = (desired: KubeObject, live: KubeObject, { ignore = [] }: ApplyOptions): KubeObject =>
  unstructured(
    ignoreFields(
      unstructured(desired),
      unstructured(live),
      ignore.filter((pointer) => pointer !== '/status' && !pointer.startsWith('/status/')),
    ),
  );

const findLive = (
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions,
): Promise<KubeObject | undefined> => find(client.get(type, keyOfObject(desired), readOptions(options)));

const goneWithinMs = 60_000;
const pollMs = 200;

async function recreate(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const key = keyOfObject(desired);
  const live = await findLive(client, type, desired, options);
  if (live) {
    const preconditions = live.metadata.uid ? { preconditions: { uid: live.metadata.uid } } : {};
    const deletion = { propagationPolicy: 'Background', ...preconditions, ...readOptions(options) } as const;
    await find(client.delete(type, key, deletion));
    for (let waited = 0; options.wait && waited < goneWithinMs; waited += pollMs) {
      const left = await findLive(client, type, desired, options);
      if (left?.metadata.uid !== live.metadata.uid) break;
      await options.wait(pollMs);
    }
  }
  const made = options.replace ? desired : withLastApplied(desired);
  written(await client.create(type, made, writeOptions(options)), options);
  return 'created';
}

/** Asks whether the server would take an object where one of its name is in the way. */
export async function dryRunCreate(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const { name, ...metadata } = desired.metadata;
  const unnamed = unstructured({ ...desired, metadata: { ...metadata, generateName: `${name.slice(0, 40)}-` } });
  await client.create(type, unnamed, { ...writeOptions(options), dryRun: true });
  return 'created';
}

const written = (answer: KubeObject, { dryRun, onWritten }: ApplyOptions): void => {
  if (!dryRun) onWritten?.(answer);
};

const keyOfObject = ({ metadata: { namespace, name } }: KubeObject) => (namespace ? { namespace, name } : { name });
const readOptions = ({ signal }: ApplyOptions) => (signal ? { signal } : {});
const writeOptions = (options: ApplyOptions) => ({
  fieldManager,
  fieldValidation: options.validate === false ? ('Ignore' as const) : ('Strict' as const),
  ...(options.dryRun ? { dryRun: true } : {}),
  ...(options.signal ? { signal: options.signal } : {}),
});

function withLastApplied(object: KubeObject): KubeObject {
  const text = lastAppliedText(object);
  return Buffer.byteLength(text) > maxAnnotationBytes ? object : withAnnotation(object, text);
}

function withAnnotation(object: KubeObject, text: string | undefined): KubeObject {
  if (text === undefined || object.metadata.annotations?.[lastAppliedAnnotation] === text) return object;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [lastAppliedAnnotation]: text } },
  };
}
