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
import type { Side } from './side.ts';
import { overlaidStatus } from './status.ts';
import { incoming } from './translate.ts';

/** What a mirror's side does with the state of a source's object. */
export type Upsert =
  | { readonly do: 'create'; readonly object: MirroredObject }
  | { readonly do: 'update'; readonly object: MirroredObject }
  | { readonly do: 'nothing' }
  /** It is being deleted at the source: so it is here, first with the source's finalizers. */
  | { readonly do: 'delete'; readonly existing: MirroredObject; readonly first?: MirroredObject }
  /** It is being deleted at the source, and is not here any more: the source should know. */
  | { readonly do: 'report-gone' }
  /** Not now. `verify`: a mirror of this other uid is in the way; the source must say what became of it. */
  | { readonly do: 'wait'; readonly reason: string; readonly verify?: string; readonly replace?: MirroredObject }
  | { readonly do: 'refuse'; readonly reason: string };

const withStatus = (side: Side, kind: MirroredKind): boolean => side.mode === 'autonomous' && kind === 'Application';

/** The checksum of a source's object as it is sent. */
export const sourceState = (side: Side, kind: MirroredKind, sent: MirroredObject): string =>
  withStatus(side, kind) ? stateWithStatusChecksum(sent) : stateChecksum(sent);

const ownState = (side: Side, kind: MirroredKind, mirror: MirroredObject): string =>
  withStatus(side, kind) ? declaredWithStatusChecksum(mirror) : declaredChecksum(mirror);

/** The source's state that a mirror shows; empty when someone has changed the mirror since it was written. */
export function shownState(side: Side, kind: MirroredKind, mirror: MirroredObject, accepted?: string): string {
  const [content = '', own] = (mirror.metadata.annotations?.[annotation.state] ?? '').split('.');
  const actual = ownState(side, kind, mirror);
  return actual === own || actual === accepted ? content : '';
}

/** What a write came to that the server changed: it is the best that this cluster can show. */
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
  const shown = sourceUidOf(existing);
  if (shown !== undefined && shown !== uid) {
    const reason = `the mirror of ${shown} is still here`;
    return isTerminating(existing) ? { do: 'wait', reason } : { do: 'wait', reason, verify: shown, replace: existing };
  }
  if (shown === undefined) {
    if (deleting) return { do: 'report-gone' };
    const policy =
      sent.metadata.annotations?.[annotation.adoption] ?? existing.metadata.annotations?.[annotation.adoption];
    if (policy === 'never') {
      return {
        do: 'refuse',
        reason: `${existing.metadata.name} was here before, and its adoption policy is never: delete it here, or change the policy`,
      };
    }
  }
  const object = mirrorOf(side, kind, sent, existing, name);
  if (deleting) {
    if (isTerminating(existing)) return { do: 'nothing' };
    return sameFinalizers(object, existing) ? { do: 'delete', existing } : { do: 'delete', existing, first: object };
  }
  if (isTerminating(existing)) return { do: 'wait', reason: 'it is being deleted here, against the source' };
  return isWritten(side, kind, object, existing) ? { do: 'nothing' } : { do: 'update', object };
}

/** What a mirror's side does when the source says that a uid is no more. */
export type Deletion =
  | { readonly do: 'nothing' }
  | { readonly do: 'delete'; readonly existing: MirroredObject; readonly first?: MirroredObject };

/**
 * A source's object with finalizers is deleted in two steps, and the first of them is told as its state. So when it is gone at once
 * its finalizers were taken off before: whatever finalizers the mirror still has must go first, or workloads would be deleted that
 * someone decided to keep.
 */
export function decideDelete(uid: string, existing: MirroredObject | undefined): Deletion {
  if (!existing || sourceUidOf(existing) !== uid) return { do: 'nothing' };
  const { finalizers, ...metadata } = existing.metadata;
  if (finalizers?.length) return { do: 'delete', existing, first: { ...existing, metadata } };
  return isTerminating(existing) ? { do: 'nothing' } : { do: 'delete', existing };
}

/** The object to be written for a source's object, over what is there. */
function mirrorOf(
  side: Side,
  kind: MirroredKind,
  sent: MirroredObject,
  existing: MirroredObject | undefined,
  name: string,
): MirroredObject {
  const wanted = incoming(side, kind, sent, name);
  const kept = Object.entries(existing?.metadata.annotations ?? {}).filter(([name]) => !isDeclaredAnnotation(name));
  const declared = Object.entries(wanted.metadata.annotations ?? {}).filter(([name]) => isDeclaredAnnotation(name));
  const {
    labels: _,
    finalizers: __,
    ownerReferences: ___,
    annotations: ____,
    ...metadata
  } = existing?.metadata ?? wanted.metadata;
  const { labels, finalizers } = wanted.metadata;
  const refresh = sent.metadata.annotations?.[annotation.refresh];
  // What was here before is another object's past.
  const past = existing && sourceUidOf(existing) !== undefined ? existing : undefined;
  const shown = past ? overlaidStatus(past, wanted) : wanted.status;
  const status = withStatus(side, kind) ? shown : past?.status;
  const operation = existing && operationTaken(existing, sent) ? undefined : existing?.operation;
  const annotations: Record<string, string> = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(declared),
    ...(refresh && side.mode === 'managed' ? { [annotation.refresh]: refresh } : {}),
    [annotation.sourceUid]: sent.metadata.uid ?? '',
  };
  const written: MirroredObject = {
    ...wanted,
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

/** Whether writing the object would change nothing that matters. */
function isWritten(side: Side, kind: MirroredKind, object: MirroredObject, existing: MirroredObject): boolean {
  const names = [annotation.sourceUid, annotation.state, annotation.refresh];
  return (
    ownState(side, kind, object) === ownState(side, kind, existing) &&
    names.every((name) => object.metadata.annotations?.[name] === existing.metadata.annotations?.[name]) &&
    (object.operation === undefined) === (existing.operation === undefined)
  );
}

const sameFinalizers = (a: MirroredObject, b: MirroredObject): boolean =>
  [...(a.metadata.finalizers ?? [])].sort().join() === [...(b.metadata.finalizers ?? [])].sort().join();
