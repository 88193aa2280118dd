import { type Application, type ApplicationSet, applicationSetKind } from '@fairlead/api';
import { equalJson, type OwnerReference } from '@fairlead/apimachinery';
import { goSpec } from './go-shape.ts';
import { normalizeSpec } from './normalize-spec.ts';

const setApiVersion = `${applicationSetKind.type.group}/${applicationSetKind.type.version}`;

/** Annotations that others write and ApplicationSets leave alone. */
const alwaysPreserved = [
  'notified.notifications.argoproj.io',
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/hydrate',
];

/** Finalizers of deletion hooks, which the application controller takes off. */
const hookFinalizers = ['pre-delete-finalizer.argocd.argoproj.io', 'post-delete-finalizer.argocd.argoproj.io'];

export interface Preserved {
  readonly annotations: readonly string[];
  readonly labels: readonly string[];
}

/** The ApplicationSet that controls an Application: the name of its owner. */
export const ownerName = ({ metadata }: Application): string | undefined =>
  (metadata.ownerReferences ?? []).find(
    ({ controller, apiVersion, kind }) => controller && apiVersion === setApiVersion && kind === 'ApplicationSet',
  )?.name;

/** An Application belongs to another controller. */
export class OwnedByAnother extends Error {}

/** The Application as a new object. */
export const newApplication = (set: ApplicationSet, generated: Application): Application => ({
  ...generated,
  metadata: { ...generated.metadata, ownerReferences: [ownerReference(set)] },
  spec: normalizeSpec(generated.spec),
});

/** The live Application with what the ApplicationSet decides about: spec, labels, annotations, finalizers and owner. */
export function changedApplication(
  set: ApplicationSet,
  generated: Application,
  live: Application,
  preserved: Preserved,
): Application {
  const { metadata, operation } = generated;
  const annotations = { ...metadata.annotations };
  for (const key of [...preserved.annotations, ...alwaysPreserved]) keep(annotations, key, live.metadata.annotations);
  const labels = { ...metadata.labels };
  for (const key of preserved.labels) keep(labels, key, live.metadata.labels);
  const kept = hookFinalizers.flatMap((hook) =>
    (live.metadata.finalizers ?? []).filter((finalizer) => finalizer.startsWith(hook)),
  );
  const { annotations: _, labels: __, finalizers: ___, ...identity } = live.metadata;
  const finalizers = [...(metadata.finalizers ?? []), ...kept];
  return {
    ...live,
    metadata: {
      ...identity,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(finalizers.length > 0 ? { finalizers } : {}),
      ownerReferences: withOwner(live, set),
    },
    spec: normalizeSpec(generated.spec),
    ...(operation ? { operation } : {}),
  };
}

function keep(target: Record<string, string>, key: string, live: Readonly<Record<string, string>> | undefined): void {
  const value = live?.[key];
  if (value !== undefined) target[key] = value;
}

const ownerReference = ({ metadata }: ApplicationSet): OwnerReference => ({
  apiVersion: setApiVersion,
  kind: 'ApplicationSet',
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

function withOwner({ metadata }: Application, set: ApplicationSet): OwnerReference[] {
  const own = ownerReference(set);
  const isSame = ({ apiVersion, kind, name }: OwnerReference): boolean =>
    apiVersion === own.apiVersion && kind === own.kind && name === own.name;
  const references = metadata.ownerReferences ?? [];
  const other = references.find((reference) => reference.controller && !isSame(reference));
  if (other) {
    throw new OwnedByAnother(
      `error while wrapping using MutateFn: Object ${metadata.namespace}/${metadata.name} is already owned by another ${other.kind} controller ${other.name}`,
    );
  }
  return references.some(isSame)
    ? references.map((reference) => (isSame(reference) ? own : reference))
    : [...references, own];
}

const normalized = new WeakMap<Application, Application>();

/** The live Application without differences that mean nothing. */
export function normalizedLive(live: Application): Application {
  let known = normalized.get(live);
  if (!known) {
    known = { ...live, spec: normalizeSpec(goSpec(live.spec)) };
    normalized.set(live, known);
  }
  return known;
}

export const isSameApplication = (one: Application, other: Application): boolean =>
  equalJson(one.spec, other.spec) &&
  equalJson(one.metadata, other.metadata) &&
  equalJson(one.operation, other.operation);
