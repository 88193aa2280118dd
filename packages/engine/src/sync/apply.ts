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
import { ignoreFields } from '../diff/ignore.ts';
import { isLastAppliedValid, lastAppliedAnnotation, lastAppliedText } from '../diff/last-applied.ts';
import { withoutNullFields } from '../diff/nulls.ts';
import { managedFieldsOf } from '../live/managed-fields.ts';
import { applyMessage, kubectlName, missingLastApplied } from './apply-message.ts';
import { authReconcile, isRbac } from './auth-reconcile.ts';
import { clientSidePatch } from './client-side-patch.ts';
import {
  clientSideManagers,
  lastAppliedOwners,
  migratedFields,
  migrateManagedFields,
} from './migrate-managed-fields.ts';
import { isDefinition } from './plan-sync.ts';

export const fieldManager = 'argocd-controller';

export interface ApplyOptions {
  readonly signal?: AbortSignal;
  readonly serverSide?: boolean;
  /** Additional field managers whose client-side fields server-side apply takes over; `false` disables the migration. */
  readonly migrateFrom?: string | false;
  /** Replace the whole object instead of merging. */
  readonly replace?: boolean;
  /** Delete and create again if the server rejects the change; with `replace`, always. */
  readonly force?: boolean;
  /** Fields to leave unchanged in the cluster, as JSON pointers. */
  readonly ignore?: readonly string[];
  /**
   * The live object as the watch cache has it, or `none` if the cache has none: no request is made to read it. The change is bound to its
   * resourceVersion, so a stale one costs a conflict and a read. Not given: read from the server.
   */
  readonly live?: KubeObject | 'none';
  /** Called with each version that was written. */
  readonly onWritten?: (object: KubeObject) => void;
  /** Waits while a deleted object terminates; without it, it must be deleted at once. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** One apply: client, object and options. */
interface Apply extends ApplyOptions {
  readonly client: ApiClient;
  readonly type: ResourceType;
  readonly desired: KubeObject;
}

/** A larger object does not fit in the annotation: its diff is two-way. */
const maxAnnotationBytes = 262_144;

/**
 * Applies a desired object, as Argo CD does with the code of kubectl: it is created with the last-applied annotation, or patched; RBAC
 * objects are reconciled before, as by `kubectl auth reconcile`; on request it is replaced, or applied server-side. The change is bound to
 * the version it was computed from; after a concurrent write it is computed again. Returns the output of kubectl.
 */
export async function apply(
  client: ApiClient,
  type: ResourceType,
  desired: KubeObject,
  options: ApplyOptions = {},
): Promise<string> {
  const request: Apply = { ...options, client, type, desired };
  for (let attempt = 0; ; attempt++) {
    // The cached object is used once: after a conflict the server is read.
    const live = attempt === 0 && options.live ? options.live : await findLive(request);
    try {
      return await applyTo(request, live === 'none' ? undefined : live);
    } catch (error) {
      if (attempt < 5 && (isConflict(error) || (live === 'none' && isAlreadyExists(error)))) continue;
      throw cleaned(error);
    }
  }
}

function applyTo(request: Apply, live: KubeObject | undefined): Promise<string> {
  if (request.replace) return live ? replace(request, live) : create(request, request.desired);
  if (request.serverSide) return applyServerSide(request, live);
  return applyClientSide(request, live);
}

async function create(request: Apply, object: KubeObject): Promise<string> {
  const { client, type } = request;
  written(request, await client.create(type, object, writeOptions(request)));
  return applyMessage(kubectlName(type, object), 'created');
}

async function replace(request: Apply, live: KubeObject): Promise<string> {
  const { client, type, desired, force } = request;
  const body = withIgnoredFields(request, live);
  // Deleting these would delete everything of their kind or in them.
  const isKept = isDefinition(desired) || (type.kind === 'Namespace' && type.group === '');
  if (force && !isKept) {
    await recreate(request, live, body);
    const from = type.namespaced ? ` from ${live.metadata.namespace} namespace` : '';
    const [kind] = kubectlName(type, desired).split('/', 1);
    return `${kind} "${desired.metadata.name}" deleted${from}\n${kubectlName(type, desired)} replaced`;
  }
  const next = { ...body, metadata: { ...body.metadata, resourceVersion: live.metadata.resourceVersion ?? '' } };
  try {
    written(request, await client.replace(type, next, writeOptions(request)));
  } catch (error) {
    throw withContext(error, isKept ? 'error when updating' : `error when replacing "${kubectlName(type, desired)}"`);
  }
  return isKept
    ? `${desired.kind}/${desired.metadata.name} updated`
    : applyMessage(kubectlName(type, desired), 'replaced');
}

async function applyClientSide(request: Apply, live: KubeObject | undefined): Promise<string> {
  const { client, type, desired } = request;
  const name = kubectlName(type, desired);
  const reconciled = isRbac(desired) ? authReconcile(desired, live) : undefined;
  const said = (outcome: 'configured' | 'unchanged', warnings: readonly string[]): string =>
    `${reconciled ? `${name} ${reconciled.report}` : ''}${applyMessage(name, outcome, warnings)}`;
  const fresh = unstructured(withoutNullFields(unstructured(withLastApplied(desired))));
  if (!live) {
    const created = await create(request, fresh);
    return reconciled ? said('configured', [missingLastApplied(type, desired)]) : created;
  }
  if (reconciled?.operation === 'recreate') {
    await recreate(request, live, fresh);
    return said('configured', [missingLastApplied(type, desired)]);
  }
  const planned = planPatch(request, reconciled?.object ?? live);
  // Additions to an RBAC object are overwritten by the apply: one patch does both.
  const { patchType, patch } =
    reconciled?.operation === 'update' ? clientSidePatch(markedFor(request, live), live) : planned;
  if (Object.keys(patch).length > 0) {
    const { resourceVersion } = live.metadata;
    const body = { ...patch, metadata: { ...objectAt(patch, 'metadata'), resourceVersion } };
    try {
      written(request, await client.patch(type, keyOfObject(desired), patchType, body, writeOptions(request)));
    } catch (error) {
      if (request.force && isInvalid(error)) await recreate(request, live, fresh);
      else throw withContext(error, `error when patching "${name}"`);
    }
  }
  return said(planned.outcome, planned.warnings);
}

type Planned = Pick<Apply, 'type' | 'desired' | 'ignore'>;

type PlannedPatch = ReturnType<typeof clientSidePatch> & {
  readonly outcome: 'configured' | 'unchanged';
  readonly warnings: readonly string[];
};

/** The effect of a client-side apply on a live object, with the messages of kubectl. Nothing is sent: a dry run ends here. */
export function planPatch(request: Planned, live: KubeObject): PlannedPatch {
  const { type } = request;
  if (!isLastAppliedValid(live)) {
    throw new Error(
      `${kubectlName(type, live)}: the annotation ${lastAppliedAnnotation} of the live object is not JSON: remove it`,
    );
  }
  const computed = clientSidePatch(markedFor(request, live), live);
  return {
    ...computed,
    outcome: Object.keys(computed.patch).length > 0 ? 'configured' : 'unchanged',
    warnings: live.metadata.annotations?.[lastAppliedAnnotation] === undefined ? [missingLastApplied(type, live)] : [],
  };
}

const markedFor = (request: Planned, live: KubeObject): KubeObject => withLastApplied(withIgnoredFields(request, live));

async function applyServerSide(request: Apply, live: KubeObject | undefined): Promise<string> {
  const { client, type, desired, migrateFrom, force } = request;
  if (live && migrateFrom !== false) {
    const from = migrateFrom ? [migrateFrom, fieldManager] : clientSideManagers;
    // The cache has managedFields only of objects that were applied server-side: others are read.
    const kept = managedFieldsOf(live);
    const full = kept ? { ...live, metadata: { ...live.metadata, managedFields: [...kept] } } : await findLive(request);
    if (full && migratedFields(full.metadata.managedFields, fieldManager, from)) {
      await migrateManagedFields(client, type, full, fieldManager, { from, ...readOptions(request) });
    }
  }
  const body = live ? withIgnoredFields(request, live) : desired;
  const send = (): Promise<KubeObject> =>
    client.patch(type, keyOfObject(desired), 'apply', body, { ...writeOptions(request), force: true });
  try {
    const answer = await send();
    // Client-side field managers are migrated, as in kubectl: fields that are no longer declared are removed by the second apply.
    const from = lastAppliedOwners(answer);
    if (from.length > 0) {
      await migrateManagedFields(client, type, answer, fieldManager, { from, ...readOptions(request) });
      written(request, await send());
    } else written(request, answer);
  } catch (error) {
    if (!force || !live || !isInvalid(error)) throw error;
    await recreate(request, live, body);
  }
  return applyMessage(kubectlName(type, desired), 'serverside-applied');
}

/** The target object with the live values of ignored fields. */
const withIgnoredFields = ({ desired, ignore = [] }: Planned, live: KubeObject): KubeObject =>
  unstructured(
    ignoreFields(
      unstructured(desired),
      unstructured(live),
      ignore.filter((pointer) => pointer !== '/status' && !pointer.startsWith('/status/')),
    ),
  );

const findLive = (request: Apply): Promise<KubeObject | undefined> =>
  find(request.client.get(request.type, keyOfObject(request.desired), readOptions(request)));

const goneWithinMs = 60_000;
const pollMs = 200;

async function recreate(request: Apply, live: KubeObject, next: KubeObject): Promise<void> {
  const { client, type, desired, wait } = request;
  const preconditions = live.metadata.uid ? { preconditions: { uid: live.metadata.uid } } : {};
  const deletion = { propagationPolicy: 'Background', ...preconditions, ...readOptions(request) } as const;
  await find(client.delete(type, keyOfObject(desired), deletion));
  for (let waited = 0; wait && waited < goneWithinMs; waited += pollMs) {
    const left = await findLive(request);
    if (left?.metadata.uid !== live.metadata.uid) break;
    await wait(pollMs);
  }
  written(request, await client.create(type, next, writeOptions(request)));
}

const written = ({ onWritten }: Apply, answer: KubeObject): void => onWritten?.(answer);

const isInvalid = (error: unknown): boolean => error instanceof ApiError && error.reason === 'Invalid';

/** The same error with the prefix of kubectl. A conflict is unchanged: it is handled here. */
function withContext(error: unknown, context: string): unknown {
  if (!(error instanceof ApiError) || isConflict(error)) return error;
  return new ApiError({ ...error.status, message: `${context}: ${error.message}` });
}

/** As Argo CD reports it: without Go maps, which repeat the whole patch, and without the line break after a diff. */
function cleaned(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const message = error.message.trim().replace(/map\[.*\]/gu, '');
  return message === error.message ? error : new ApiError({ ...error.status, message });
}

const keyOfObject = ({ metadata: { namespace, name } }: KubeObject) => (namespace ? { namespace, name } : { name });
const readOptions = ({ signal }: ApplyOptions) => (signal ? { signal } : {});
/** Unknown fields are reported by the comparison, before anything is applied; the server drops them, as it does for Argo CD. */
const writeOptions = ({ signal }: ApplyOptions) => ({
  fieldManager,
  fieldValidation: 'Ignore' as const,
  ...(signal ? { signal } : {}),
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
