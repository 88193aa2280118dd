import { aggregateMessages, type Condition, equalJson } from '@fairlead/apimachinery';
import { approvalCondition } from './api-approval.ts';
import { type Definition, type DefinitionStatus, isConditionTrue, type Names } from './definition.ts';
import { conditionForUnsupported, unsupportedCondition } from './unsupported-rules.ts';

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Whether the resources of the CRD are served. */
export const isEstablished = (definition: Definition): boolean => isConditionTrue(definition, 'Established');

/**
 * The status of a CRD after a write: its accepted names, and whether it is established. `others` are all CRDs, with or without this one.
 * Undefined if the status is up to date. Call it after each write to any CRD of the group: another CRD may wait for a released name.
 */
export function nextStatus(
  definition: Definition,
  others: Iterable<Definition>,
  now: string,
): DefinitionStatus | undefined {
  const before = definition.status ?? {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: null,
  };
  const { accepted, conflict } = acceptNames(definition, others);
  const conditions = [...(before.conditions ?? [])];
  const approval = approvalCondition(definition);
  if (approval) setCondition(conditions, approval, now);
  setCondition(
    conditions,
    conflict ?? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    now,
  );
  if (!isConditionTrue(definition, 'Established')) setCondition(conditions, established(conflict), now);
  const unsupported = conditionForUnsupported(definition);
  if (unsupported) setCondition(conditions, unsupported, now);
  else dropCondition(conditions, unsupportedCondition);
  const next: DefinitionStatus = { conditions, acceptedNames: accepted, storedVersions: before.storedVersions };
  return equalJson(next, before) ? undefined : next;
}

const established = (conflict: Condition | undefined): Condition =>
  conflict
    ? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
    : {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      };

function acceptNames(definition: Definition, others: Iterable<Definition>): { accepted: Names; conflict?: Condition } {
  const desired = definition.spec.names;
  const held = definition.status?.acceptedNames ?? { plural: '', kind: '' };
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    if (other.spec.group !== definition.spec.group || other.metadata.name === definition.metadata.name) continue;
    const names = other.status?.acceptedNames;
    for (const name of [names?.plural, names?.singular, ...(names?.shortNames ?? [])]) if (name) resources.add(name);
    for (const kind of [names?.kind, names?.listKind]) if (kind) kinds.add(kind);
  }

  let conflict: Condition | undefined;
  const take = <T>(name: T, own: T, taken: readonly string[], reason: string): T => {
    if (taken.length === 0) return name;
    const message = aggregateMessages(taken.map((n) => `${JSON.stringify(n)} is already in use`));
    conflict = { type: 'NamesAccepted', status: 'False', reason, message };
    return own;
  };
  const used = (name: string | undefined, own: string | undefined, among: Set<string>): string[] =>
    name !== own && name && among.has(name) ? [name] : [];

  const shortNames = (desired.shortNames ?? []).filter(
    (name) => !held.shortNames?.includes(name) && resources.has(name),
  );
  const names: Names = {
    plural: take(desired.plural, held.plural, used(desired.plural, held.plural, resources), 'PluralConflict'),
    singular:
      take(desired.singular, held.singular, used(desired.singular, held.singular, resources), 'SingularConflict') ?? '',
    shortNames: take(desired.shortNames, held.shortNames, shortNames, 'ShortNamesConflict') ?? [],
    kind: take(desired.kind, held.kind, used(desired.kind, held.kind, kinds), 'KindConflict'),
    listKind:
      take(desired.listKind, held.listKind, used(desired.listKind, held.listKind, kinds), 'ListKindConflict') ?? '',
    categories: desired.categories ?? [],
  };
  return { accepted: withoutEmpty(names), ...(conflict ? { conflict } : {}) };
}

/** In the wire format: plural and kind always, the others if they are set. */
function withoutEmpty(names: Names): Names {
  return {
    plural: names.plural,
    ...(names.singular ? { singular: names.singular } : {}),
    ...(names.shortNames?.length ? { shortNames: names.shortNames } : {}),
    kind: names.kind,
    ...(names.listKind ? { listKind: names.listKind } : {}),
    ...(names.categories?.length ? { categories: names.categories } : {}),
  };
}

/** Sets a condition in place. The time changes only with the status. */
export function setCondition(conditions: Condition[], condition: Condition, now: string): void {
  const index = conditions.findIndex((c) => c.type === condition.type);
  const before = conditions[index];
  const { type, status, reason, message } = condition;
  const lastTransitionTime = before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : now;
  const next = { type, status, lastTransitionTime, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
  if (before) conditions[index] = next;
  else conditions.push(next);
}

function dropCondition(conditions: Condition[], type: string): void {
  const index = conditions.findIndex((condition) => condition.type === type);
  if (index >= 0) conditions.splice(index, 1);
}

/** The effect of the first delete of a CRD: it is kept as terminating until its objects are deleted and the finalizer is removed. */
export function markTerminating(definition: Definition, now: string): void {
  const { metadata } = definition;
  metadata.deletionTimestamp ??= now;
  if (!metadata.finalizers?.includes(cleanupFinalizer))
    metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
  setTerminating(definition, now, {
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  });
}

/** While the objects of a CRD are being deleted, and after the last. */
export function setCleanupProgress(definition: Definition, remaining: number, now: string): void {
  if (remaining > 0 && isEstablished(definition)) {
    setTerminating(definition, now, {
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
    return;
  }
  setTerminating(
    definition,
    now,
    isEstablished(definition)
      ? { status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
      : { status: 'False', reason: 'NeverEstablished', message: 'resource was never established' },
  );
  definition.metadata.finalizers = (definition.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
}

function setTerminating(definition: Definition, now: string, condition: Omit<Condition, 'type'>): void {
  definition.status ??= { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
  const conditions = [...(definition.status.conditions ?? [])];
  setCondition(conditions, { type: 'Terminating', ...condition }, now);
  definition.status = { ...definition.status, conditions };
}
