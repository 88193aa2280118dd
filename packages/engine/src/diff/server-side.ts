import {
  compare,
  difference,
  fieldsOf,
  type JsonObject,
  type KubeObject,
  merge,
  noFields,
  type ObjectSchema,
  own,
  readManagers,
  removeFields,
  shapeOf,
  union,
  unstructured,
} from '@fairlead/apimachinery';
import type { DiffPolicy } from './differ.ts';
import { lastAppliedAnnotation } from './last-applied.ts';
import { anySchema } from './structured-merge.ts';

/** The object that a server-side apply would store, by dry run. */
export type DryRunApply = (desired: KubeObject, policy: DiffPolicy) => Promise<KubeObject>;

export interface ServerSideOptions {
  readonly manager: string;
  readonly schema?: ObjectSchema | undefined;
  /** Whether changes by admission webhooks count as a difference. */
  readonly includeMutations: boolean;
}

/** The prediction from the response of a dry run. */
export function serverSidePrediction(answer: KubeObject, live: KubeObject, options: ServerSideOptions): KubeObject {
  const predicted = options.includeMutations ? answer : withoutMutations(answer, live, options);
  return asStored(predicted, live);
}

/** Only the fields of our manager are taken from the response: admission webhooks may have added others. */
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
  return unstructured(removeFields(shape, merged, removed));
}

function plain(object: KubeObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return unstructured({ ...object, metadata });
}

/** Identity, managed fields and status are written by the server: they are taken from the live object. */
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
  const { status: _s, ...body } = unstructured(predicted);
  const status = own(unstructured(live), 'status');
  return unstructured({
    ...body,
    metadata: {
      ...identity,
      ...(labels ? { labels } : {}),
      ...(Object.keys(shown).length > 0 || live.metadata.annotations ? { annotations: shown } : {}),
      ...(finalizers ? { finalizers } : {}),
      ...(ownerReferences ? { ownerReferences } : {}),
    },
    ...(status === undefined ? {} : { status }),
  });
}
