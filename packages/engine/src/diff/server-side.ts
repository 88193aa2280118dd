import {
  compare,
  difference,
  fieldsOf,
  type JsonObject,
  type KubeObject,
  merge,
  noFields,
  type ObjectSchema,
  readManagers,
  removeFields,
  shapeOf,
  union,
} from '@fairlead/apimachinery';
import { lastAppliedAnnotation } from './last-applied.ts';
import { anySchema } from './structured-merge.ts';

/** Applies an object server-side without storing it, and gives what it would be. */
export type DryRunApply = (desired: KubeObject) => Promise<KubeObject>;

export interface ServerSideOptions {
  readonly manager: string;
  readonly schema?: ObjectSchema | undefined;
  /** Whether what admission webhooks change counts as a difference. */
  readonly includeMutations: boolean;
}

/** What a live object becomes by the server's own answer to a dry run. */
export function serverSidePrediction(answer: KubeObject, live: KubeObject, options: ServerSideOptions): KubeObject {
  const predicted = options.includeMutations ? answer : withoutMutations(answer, live, options);
  return asStored(predicted, live);
}

/** Only what our manager owns is taken from the answer: whatever else is in it was put there by somebody on the way. */
function withoutMutations(
  answer: KubeObject,
  live: KubeObject,
  { manager, schema = anySchema }: ServerSideOptions,
): KubeObject {
  const shape = shapeOf(schema);
  let owned = noFields;
  for (const entry of readManagers(answer.metadata.managedFields).values()) {
    if (entry.name === manager) owned = union(owned, entry.fields);
  }
  if (owned.size === 0) return live;
  const [before, after] = [plain(live), plain(answer)];
  const ours = removeFields(shape, after, difference(fieldsOf(shape, after), owned)) ?? {};
  const merged = merge(shape, before, ours) ?? {};
  const { removed } = compare(shape, before, after);
  return removeFields(shape, merged, removed) as unknown as KubeObject;
}

function plain(object: KubeObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonObject;
}

/** Identity, bookkeeping and status are the server's: as they are in the live object. */
function asStored(predicted: KubeObject, live: KubeObject): KubeObject {
  const { labels, annotations, finalizers, ownerReferences } = predicted.metadata;
  const {
    labels: _l,
    annotations: _a,
    finalizers: _f,
    ownerReferences: _o,
    managedFields: _m,
    ...identity
  } = live.metadata;
  const kept = live.metadata.annotations?.[lastAppliedAnnotation];
  const { [lastAppliedAnnotation]: _, ...others } = annotations ?? {};
  const shown = { ...others, ...(kept === undefined ? {} : { [lastAppliedAnnotation]: kept }) };
  const { status: _s, ...body } = predicted as KubeObject & { status?: unknown };
  return {
    ...body,
    metadata: {
      ...identity,
      ...(labels ? { labels } : {}),
      ...(Object.keys(shown).length > 0 || live.metadata.annotations ? { annotations: shown } : {}),
      ...(finalizers ? { finalizers } : {}),
      ...(ownerReferences ? { ownerReferences } : {}),
    },
    ...('status' in live ? { status: live.status } : {}),
  } as KubeObject;
}
