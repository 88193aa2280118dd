import { type ApiClient, ApiError, isConflict, isNotFound, type KubeObject, type ResourceType } from '@fairlead/kube';
import { diff } from '../diff/diff.ts';
import { lastAppliedAnnotation, lastAppliedText } from '../diff/last-applied.ts';
import { mergePatch } from '../diff/merge-patch.ts';

export const fieldManager = 'argocd-controller';

export interface ApplyOptions {
  readonly signal?: AbortSignal;
  readonly dryRun?: boolean;
  readonly serverSide?: boolean;
  /** Replace the whole object, and do not merge. */
  readonly replace?: boolean;
  /** Delete and create again where the server refuses the change. */
  readonly force?: boolean;
  /** Whether a field that the server does not know is an error. */
  readonly validate?: boolean;
  /** Fields to leave as they are in the cluster, as JSON pointers. */
  readonly ignore?: readonly string[];
}

export type ApplyResult = 'created' | 'configured' | 'unchanged' | 'replaced' | 'serverside-applied';

/** Beyond this the annotation does not fit: such an object is diffed two ways. */
const maxAnnotationBytes = 262_144;

/**
 * Makes a live object agree with a desired one, as `kubectl apply` does: created with what was applied in an annotation, or changed by
 * the difference alone. The change is bound to the version it was computed from; when another writer came between, it is computed anew.
 */
export async function apply(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions = {},
): Promise<ApplyResult> {
  if (options.serverSide) return applyServerSide(client, type, desired, options);
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptApply(client, type, desired, options);
    } catch (error) {
      if (isConflict(error) && attempt < 5) continue;
      if (options.force && !options.dryRun && error instanceof ApiError && error.reason === 'Invalid') {
        return recreate(client, type, desired, options);
      }
      throw error;
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
  const live = await client.get(type, key, readOptions(options)).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (!live) {
    await client.create(type, marked, write);
    return 'created';
  }
  const { resourceVersion } = live.metadata;
  if (options.replace) {
    await client.replace(
      type,
      { ...desired, metadata: { ...desired.metadata, resourceVersion: resourceVersion! } },
      write,
    );
    return 'replaced';
  }
  const predicted = withAnnotation(
    diff(marked, live, { ignore: options.ignore ?? [] }).predicted,
    marked.metadata.annotations?.[lastAppliedAnnotation],
  );
  const patch = mergePatch(live, predicted);
  if (!patch) return 'unchanged';
  const body = { ...patch, metadata: { ...(patch['metadata'] as object | undefined), resourceVersion } };
  await client.patch(type, key, 'merge', body, write);
  return 'configured';
}

async function applyServerSide(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  await client.patch(type, keyOfObject(desired), 'apply', desired, { ...writeOptions(options), force: true });
  return 'serverside-applied';
}

async function recreate(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const signal = options.signal ? { signal: options.signal } : {};
  await client.delete(type, keyOfObject(desired), { propagationPolicy: 'Background', ...signal });
  await client.create(type, withLastApplied(desired), writeOptions(options));
  return 'created';
}

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
