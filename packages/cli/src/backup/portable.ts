import { applicationKind } from '@fairlead/api';
import { isJsonObject, type Json, type JsonObject, type KubeObject, textAt } from '@fairlead/apimachinery';

/** Annotations that ask for something once, or describe a former write. */
const momentary: ReadonlySet<string> = new Set([
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/hydrate',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/**
 * An object as another cluster can have it: without what its API server wrote, and without owners, whose uids differ there: the garbage collector would
 * delete it. An Application keeps its status, with the history for rollbacks, and loses an operation: a restore starts no sync.
 */
export function portable(object: KubeObject & JsonObject): KubeObject & JsonObject {
  const { metadata, status, operation: _, ...rest } = object;
  const { name, namespace, labels, annotations, finalizers } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !momentary.has(key));
  return {
    ...rest,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
      ...(finalizers === undefined || finalizers.length === 0 ? {} : { finalizers }),
    },
    ...(object.kind === applicationKind.type.kind && status !== undefined ? { status: withoutOperation(status) } : {}),
  };
}

/** The state of an operation that runs would be resumed. */
function withoutOperation(status: Json): Json {
  if (!isJsonObject(status)) return status;
  const { operationState, ...rest } = status;
  return ['Running', 'Terminating'].includes(textAt(operationState, 'phase')) ? rest : status;
}
