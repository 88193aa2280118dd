import {
  declaredChecksum,
  declaredWithStatusChecksum,
  isDeclaredAnnotation,
  isTerminating,
  stateChecksum,
  stateWithStatusChecksum,
} from './content.ts';
import { annotation, type MirroredKind, type MirroredObject, sourceUidOf } from './kinds.ts';
import { operationTaken } from './operation.ts';
import { ownerAnnotations, ownerProblem, ownershipOf } from './owner.ts';
import type { Side } from './side.ts';
import { overlaidStatus } from './status.ts';
import { incoming } from './translate.ts';

/** The action of the mirror's side for a state of a source's object. */
export type Upsert =
  | { readonly do: 'create'; readonly object: MirroredObject }
  | { readonly do: 'update'; readonly object: MirroredObject }
  | { readonly do: 'nothing' }
  /** It is being deleted at the source, so it is deleted here. `first`: written before, with the source's finalizers. */
  | { readonly do: 'delete'; readonly existing: MirroredObject; readonly first?: MirroredObject }
  /** It is being deleted at the source, and no longer exists here: the source must know. */
  | { readonly do: 'report-gone' }
  /** Not now. `verify`: the mirror of this other uid has the name; the source must report what happened to that uid. */
  | { readonly do: 'wait'; readonly reason: string; readonly verify?: string; readonly replace?: MirroredObject }
  | { readonly do: 'refuse'; readonly reason: string };

const withStatus = (side: Side, kind: MirroredKind): boolean => side.mode === 'autonomous' && kind === 'Application';

/** The checksum of a source's object as it is sent. */
export const sourceState = (side: Side, kind: MirroredKind, sent: MirroredObject): string =>
  withStatus(side, kind) ? stateWithStatusChecksum(sent) : stateChecksum(sent);

const ownState = (side: Side, kind: MirroredKind, mirror: MirroredObject): string =>
  withStatus(side, kind) ? declaredWithStatusChecksum(mirror) : declaredChecksum(mirror);

/** The source's state that a mirror has; empty if the mirror was edited since it was written. */
export function shownState(side: Side, kind: MirroredKind, mirror: MirroredObject, accepted?: string): string {
  const [content = '', own] = (mirror.metadata.annotations?.[annotation.state] ?? '').split('.');
  if (!isMarked(side, mirror)) return '';
  const actual = ownState(side, kind, mirror);
  return actual === own || actual === accepted ? content : '';
}

/** The state that the server stored, if it changed what was written: this cluster cannot have a better one. */
export const acceptedState = ownState;

export function decideUpsert(
  side: Side,
  kind: MirroredKind,
  sent: MirroredObject,
  existing: MirroredObject | undefined,
  name = sent.metadata.name,
): Upsert {
  const uid = sent.metadata.uid ?? '';
  const deleting = isTerminating(sent);
  if (!existing)
    return deleting ? { do: 'report-gone' } : { do: 'create', object: mirrorOf(side, kind, sent, undefined, name) };
  const problem = ownerProblem(side, kind, existing, uid);
  if (problem !== undefined) return { do: 'refuse', reason: problem };
  const shown = sourceUidOf(existing);
  if (shown !== undefined && shown !== uid) {
    const reason = `the mirror of ${shown} still exists`;
    return isTerminating(existing) ? { do: 'wait', reason } : { do: 'wait', reason, verify: shown, replace: existing };
  }
  if (shown === undefined) {
    if (deleting) return { do: 'report-gone' };
    const policy =
      sent.metadata.annotations?.[annotation.adoption] ?? existing.metadata.annotations?.[annotation.adoption];
    if (policy === 'never') {
      return {
        do: 'refuse',
        reason: `${existing.metadata.name} already exists, and its adoption policy is never: delete it, or change the policy`,
      };
    }
  }
  const object = mirrorOf(side, kind, sent, existing, name);
  if (deleting) {
    if (isTerminating(existing)) return { do: 'nothing' };
    return sameFinalizers(object, existing) ? { do: 'delete', existing } : { do: 'delete', existing, first: object };
  }
  if (isTerminating(existing)) return { do: 'wait', reason: 'it is being deleted here, but not at the source' };
  return isWritten(side, kind, object, existing) ? { do: 'nothing' } : { do: 'update', object };
}

/** The action of the mirror's side when the source reports that a uid does not exist. */
export type Deletion =
  | { readonly do: 'nothing' }
  | { readonly do: 'delete'; readonly existing: MirroredObject; readonly first?: MirroredObject };

/**
 * An object with finalizers is deleted in two steps, and the first of them is sent as a state. So if the object disappears at once, its
 * finalizers were removed before: the mirror's finalizers must be removed first, or workloads would be deleted that someone decided to
 * keep.
 */
export function decideDelete(
  side: Side,
  kind: MirroredKind,
  uid: string,
  existing: MirroredObject | undefined,
): Deletion {
  if (!existing || sourceUidOf(existing) !== uid || ownershipOf(side, kind, existing) === 'foreign')
    return { do: 'nothing' };
  const { finalizers, ...metadata } = existing.metadata;
  if (finalizers?.length) return { do: 'delete', existing, first: { ...existing, metadata } };
  return isTerminating(existing) ? { do: 'nothing' } : { do: 'delete', existing };
}

/** The mirror of a source's object, based on the existing one. */
function mirrorOf(
  side: Side,
  kind: MirroredKind,
  sent: MirroredObject,
  existing: MirroredObject | undefined,
  name: string,
): MirroredObject {
  const desired = incoming(side, kind, sent, name);
  const kept = Object.entries(existing?.metadata.annotations ?? {}).filter(([name]) => !isDeclaredAnnotation(name));
  const declared = Object.entries(desired.metadata.annotations ?? {}).filter(([name]) => isDeclaredAnnotation(name));
  const {
    labels: _,
    finalizers: __,
    ownerReferences: ___,
    annotations: ____,
    ...metadata
  } = existing?.metadata ?? desired.metadata;
  const { labels, finalizers } = desired.metadata;
  const refresh = sent.metadata.annotations?.[annotation.refresh];
  // Status and operation of an object that is not a mirror yet belong to another object.
  const past = existing && sourceUidOf(existing) !== undefined ? existing : undefined;
  const shown = past ? overlaidStatus(past, desired) : desired.status;
  const status = withStatus(side, kind) ? shown : past?.status;
  const operation = existing && operationTaken(existing, sent) ? undefined : existing?.operation;
  const annotations: Record<string, string> = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(declared),
    ...(refresh && side.mode === 'managed' ? { [annotation.refresh]: refresh } : {}),
    [annotation.sourceUid]: sent.metadata.uid ?? '',
    ...ownerAnnotations(side),
  };
  const written: MirroredObject = {
    ...desired,
    metadata: {
      ...metadata,
      ...(labels ? { labels } : {}),
      ...(finalizers?.length ? { finalizers } : {}),
      annotations,
    },
    ...(status ? { status } : {}),
    ...(operation ? { operation } : {}),
  };
  annotations[annotation.state] = `${sourceState(side, kind, sent)}.${ownState(side, kind, written)}`;
  return written;
}

/** Whether the mirror records this side's agent as its owner. */
const isMarked = (side: Side, mirror: MirroredObject): boolean =>
  Object.entries(ownerAnnotations(side)).every(([name, value]) => mirror.metadata.annotations?.[name] === value);

/** Whether writing the object would change nothing relevant. */
function isWritten(side: Side, kind: MirroredKind, object: MirroredObject, existing: MirroredObject): boolean {
  const names = [annotation.sourceUid, annotation.state, annotation.refresh];
  return (
    isMarked(side, existing) &&
    ownState(side, kind, object) === ownState(side, kind, existing) &&
    names.every((name) => object.metadata.annotations?.[name] === existing.metadata.annotations?.[name]) &&
    (object.operation === undefined) === (existing.operation === undefined)
  );
}

const sameFinalizers = (a: MirroredObject, b: MirroredObject): boolean =>
  [...(a.metadata.finalizers ?? [])].sort().join() === [...(b.metadata.finalizers ?? [])].sort().join();
