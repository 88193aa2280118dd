import {
  apiVersionOf,
  find,
  isJsonObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  type ResourceType,
  stringsAt,
  textAt,
  type Unstructured,
} from '@fairlead/apimachinery';
import type { ObjectReference } from './case.ts';
import type { Target } from './target.ts';

export interface LiveSelection {
  readonly namespaces: readonly string[];
  /** Objects outside of the namespaces. */
  readonly others: readonly ObjectReference[];
  readonly managers: boolean;
}

/** The live objects that the recording shows, with the fields that it shows. */
export async function observeLive(target: Target, selection: LiveSelection): Promise<JsonObject[]> {
  const kinds = preferred((await target.kinds()).filter((type) => type.namespaced && !isHidden(type)));
  const lists = await Promise.all(
    selection.namespaces.flatMap((namespace) =>
      kinds.map(async (type) => {
        // A kind defined by another scenario may be removed by now.
        const { items = [] } = (await find(target.reader.list<Unstructured>(type, { namespace }))) ?? {};
        return items.filter(isShown).map((object) => shown(object, type, selection.managers));
      }),
    ),
  );
  const others = await Promise.all(
    selection.others.map(async (reference): Promise<JsonObject> => {
      const { apiVersion, kind, name, namespace } = reference;
      const identity = { apiVersion, kind, ...(namespace ? { namespace } : {}), name };
      const type = (await target.kinds()).find((one) => one.kind === kind && apiVersion === apiVersionOf(one));
      const object = type && (await find(target.reader.get<Unstructured>(type, reference)));
      return type && object ? shown(object, type, selection.managers) : { ...identity, absent: true };
    }),
  );
  return [...lists.flat(), ...others];
}

const hiddenKinds = new Set(['Event', 'Endpoints', 'EndpointSlice', 'Lease', 'ControllerRevision']);
const isHidden = ({ group, kind }: ResourceType): boolean =>
  hiddenKinds.has(kind) || group === 'metrics.k8s.io' || group === 'sim.fairlead.dev';

/** One version of each kind: the first that is served. */
function preferred(types: readonly ResourceType[]): ResourceType[] {
  const byKind = new Map<string, ResourceType>();
  for (const type of types) {
    const key = `${type.group}/${type.kind}`;
    const held = byKind.get(key);
    if (!held || rank(type.version) > rank(held.version)) byKind.set(key, type);
  }
  return [...byKind.values()];
}

/** `v2` before `v1` before `v1beta1`. */
const rank = (version: string): number => {
  const [, major = '0', stage] = /^v(\d+)(alpha|beta)?/u.exec(version) ?? [];
  return Number(major) + (stage === undefined ? 100 : stage === 'beta' ? 50 : 0);
};

function isShown({ kind, metadata }: Unstructured): boolean {
  if (metadata.ownerReferences?.some(({ controller }) => controller)) return false;
  if (kind === 'ServiceAccount' && metadata.name === 'default') return false;
  return !(kind === 'ConfigMap' && metadata.name === 'kube-root-ca.crt');
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const hiddenAnnotations = new Set([
  lastApplied,
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
]);
const hiddenLabels = new Set([
  'kubernetes.io/metadata.name',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'topology.kubernetes.io/zone',
]);

function shown(object: Unstructured, type: ResourceType, managers: boolean): JsonObject {
  const { metadata } = object;
  const { ownerReferences = [], managedFields = [] } = metadata;
  const shownFalse = Object.entries(bodyOf(object)).filter(([, value]) => value === false);
  const fields = withoutEmpty({
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    lastApplied: metadata.annotations?.[lastApplied] !== undefined,
    labels: pick(metadata.labels, hiddenLabels),
    annotations: pick(metadata.annotations, hiddenAnnotations),
    finalizers: metadata.finalizers ?? [],
    owners: ownerReferences.map(({ kind, name }) => `${kind}/${name}`),
    deleting: metadata.deletionTimestamp !== undefined,
    ...bodyOf(object),
  });
  const managersOf = managedFields.map(({ manager = '', operation = '', subresource = '' }) =>
    withoutEmpty({ manager, operation, subresource }),
  );
  // A field that is false is significant, unlike one that is empty.
  return { ...fields, ...(managers ? { managers: managersOf } : {}), ...Object.fromEntries(shownFalse) };
}

const pick = (map: Readonly<Record<string, string>> = {}, hidden: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !hidden.has(key)));

const hiddenFields = new Set(['apiVersion', 'kind', 'metadata', 'status', 'spec']);

function bodyOf(object: Unstructured): JsonObject {
  const body = Object.fromEntries(Object.entries(object).filter(([key]) => !hiddenFields.has(key)));
  const spec = object['spec'];
  return {
    ...body,
    ...(isJsonObject(spec) && object.kind !== 'Namespace' ? { spec: specOf(object.kind, spec) } : {}),
    ...(object.kind === 'Job' ? { conditions: trueConditions(object) } : {}),
    ...(object.kind === 'Pod' ? { phase: textAt(object, 'status', 'phase') } : {}),
  };
}

const trueConditions = (object: Unstructured): Json[] =>
  listAt(object, 'status', 'conditions')
    .filter((condition) => textAt(condition, 'status') === 'True')
    .map((condition) => textAt(condition, 'type'))
    .sort();

/** Of these kinds, the recording shows only some fields. */
const shownFields: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['replicas', 'selector', 'strategy', 'revisionHistoryLimit', 'paused', 'template'],
  ReplicaSet: ['replicas', 'selector', 'template'],
  StatefulSet: ['replicas', 'selector', 'serviceName', 'updateStrategy', 'revisionHistoryLimit', 'template'],
  DaemonSet: ['selector', 'updateStrategy', 'revisionHistoryLimit', 'template'],
  Job: ['parallelism', 'completions', 'backoffLimit', 'suspend', 'activeDeadlineSeconds', 'template'],
  CronJob: ['schedule', 'suspend', 'concurrencyPolicy'],
  Service: ['type', 'selector', 'ports', 'sessionAffinity', 'externalName'],
  PersistentVolumeClaim: ['accessModes', 'resources', 'storageClassName'],
  Pod: ['containers'],
};
const shownContainerFields = ['name', 'image', 'command', 'args', 'env', 'ports', 'resources'];

function specOf(kind: string, spec: JsonObject): JsonObject {
  if (kind === 'CustomResourceDefinition') {
    return {
      ...picked(spec, ['group', 'scope']),
      names: { kind: textAt(spec, 'names', 'kind') },
      versions: listAt(spec, 'versions').map((version) => textAt(version, 'name')),
    };
  }
  const fields = shownFields[kind];
  if (!fields) return spec;
  const selection = picked(spec, fields);
  if (kind === 'Service') return { ...selection, ports: listAt(spec, 'ports').map(withoutNodePort) };
  if (kind === 'Pod') return { containers: containersOf(spec) };
  if (!fields.includes('template')) return selection;
  const template = objectAt(spec, 'template');
  return {
    ...selection,
    template: withoutEmpty({
      labels: pick(stringsAt(template, 'metadata', 'labels'), hiddenLabels),
      annotations: stringsAt(template, 'metadata', 'annotations'),
      containers: containersOf(objectAt(template, 'spec')),
    }),
  };
}

/** The cluster chooses the node port. */
const withoutNodePort = (port: Json): Json => {
  if (!isJsonObject(port)) return port;
  const { nodePort: _, ...rest } = port;
  return rest;
};

const containersOf = (podSpec: unknown): Json[] =>
  listAt(podSpec, 'containers').map((container) =>
    isJsonObject(container) ? withoutEmpty(picked(container, shownContainerFields)) : container,
  );

const picked = (object: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => fields.includes(key)));

/** Without empty texts, lists, maps and `false`, except for the conditions of Jobs. */
export const withoutEmpty = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key, value]) => key === 'conditions' || !isEmpty(value)));

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
