import {
  type Field,
  isJsonObject,
  type Json,
  type JsonObject,
  type ObjectSchema,
  type Schema,
  typeNamed,
} from '@fairlead/apimachinery';
import { unifiedDiff } from './unified-diff.ts';

/**
 * If an error of kube-apiserver quotes a whole struct, it prints its internal type: all fields, named as in Go, in the order of that type.
 * Types of meta/v1 have JSON tags and look as they do on the wire.
 */
export const internalForm = (value: unknown, type: InternalType): Json =>
  formOf(value as Json | undefined, typeNamed(`io.k8s.api.${type}`));

/** The difference between two structs in this form. */
export const internalDifference = (before: unknown, after: unknown, type: InternalType): string =>
  unifiedDiff(internalForm(before, type), internalForm(after, type));

export type InternalType =
  | 'core.v1.PodTemplateSpec'
  | 'core.v1.PodSpec'
  | 'core.v1.EphemeralContainer'
  | 'core.v1.SecurityContext'
  | 'core.v1.PodResourceClaim'
  | 'core.v1.NodeSelectorTerm'
  | 'core.v1.VolumeNodeAffinity'
  | 'core.v1.PersistentVolumeClaimSpec'
  | 'core.v1.PersistentVolumeSource'
  | 'batch.v1.PodFailurePolicy'
  | 'batch.v1.SuccessPolicy'
  | 'rbac.v1.RoleRef';

function formOf(value: Json | undefined, schema: Schema): Json {
  if (schema.type === 'list') return Array.isArray(value) ? value.map((item) => formOf(item, schema.items)) : null;
  if (schema.type === 'map') return isJsonObject(value) ? mapForm(value, schema.values) : null;
  if (schema.type !== 'object') return value ?? zeroes[schema.type] ?? null;
  const object = isJsonObject(value) ? value : {};
  return isTagged(schema) ? taggedForm(object, schema) : structForm(object, schema);
}

/** For a pointer field, absent and zero differ. */
const fieldForm = (value: Json | undefined, { schema, pointer }: Field): Json =>
  pointer && (value === undefined || value === null) ? null : formOf(value, schema);

const zeroes: Readonly<Record<string, Json>> = {
  string: '',
  int32: 0,
  int64: 0,
  number: 0,
  boolean: false,
  quantity: '0',
  'int-or-string': 0,
};

/** Go prints maps sorted by key. */
const mapForm = (map: JsonObject, values: Schema): JsonObject =>
  Object.fromEntries(
    Object.entries(map)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, formOf(item, values)]),
  );

const shortName = ({ name = '' }: ObjectSchema): string => name.slice(name.lastIndexOf('.') + 1);
const isTagged = ({ name = '' }: ObjectSchema): boolean => name.includes('.meta.v1.');

/** On the wire empty fields are omitted. */
function taggedForm(object: JsonObject, { fields }: ObjectSchema): JsonObject {
  const present = [...fields.values()].filter(({ name }) => object[name] !== undefined && object[name] !== null);
  return Object.fromEntries(present.map(({ name, schema }) => [name, formOf(object[name], schema)]));
}

function structForm(object: JsonObject, schema: ObjectSchema): JsonObject {
  const type = shortName(schema);
  const form: JsonObject = {};
  for (const field of fieldsOf(type, schema)) {
    // The metadata is embedded.
    if (field.name === 'metadata') Object.assign(form, fieldForm(object['metadata'], field));
    else form[goName(type, field.name)] = fieldForm(valueIn(type, object, field.name), field);
  }
  return form;
}

/** Pod fields that are in the security context of the internal type. */
const ofSecurityContext = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'];

const valueIn = (type: string, object: JsonObject, name: string): Json | undefined => {
  if (type !== 'PodSpec' || name !== 'securityContext') return object[name];
  const moved = Object.entries(object).filter(([field]) => ofSecurityContext.includes(field));
  const context = object['securityContext'];
  return { ...(isJsonObject(context) ? context : {}), ...Object.fromEntries(moved) };
};

/** Fields whose position differs from v1. */
const placedAfter: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PodSpec: { setHostnameAsFQDN: 'subdomain', preemptionPolicy: 'priority', overhead: 'runtimeClassName' },
  PodSecurityContext: { fsGroupChangePolicy: 'fsGroup' },
  Volume: { quobyte: 'rbd' },
  PersistentVolumeSource: { quobyte: 'rbd', flexVolume: 'iscsi' },
};

function fieldsOf(type: string, { fields }: ObjectSchema): Field[] {
  const places = placedAfter[type] ?? {};
  // `serviceAccount` is only another name for `serviceAccountName`.
  const absent = type === 'PodSpec' ? [...ofSecurityContext, 'serviceAccount'] : [];
  const list = [...fields.values()].filter(({ name }) => !absent.includes(name) && places[name] === undefined);
  for (const [name, before] of Object.entries(places)) {
    const field = fields.get(name);
    if (field) list.splice(list.findIndex((other) => other.name === before) + 1, 0, field);
  }
  if (type !== 'PodSecurityContext') return list;
  const { fields: ofPod } = typeNamed('io.k8s.api.core.v1.PodSpec');
  return [...ofSecurityContext.flatMap((name) => ofPod.get(name) ?? []), ...list];
}

/** The first word of these is an initialism, which Go writes in capitals. */
const abbreviation =
  /^(?:api|aws|csi|dns|fc|fs|gce|gmsa|grpc|http|ip|iqn|iscsi|nfs|os|rbd|ssl|tcp|tty|uid)(?=[A-Z]|$)/u;

const goNames: Readonly<Record<string, string>> = {
  cephfs: 'CephFS',
  pdName: 'PDName',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxOptions: 'SELinuxOptions',
  storageos: 'StorageOS',
  wwids: 'WWIDs',
};

const goNamesOfType: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AzureDiskVolumeSource: { diskURI: 'DataDiskURI' },
  ...both('Glusterfs', { endpoints: 'EndpointsName' }),
  ...both('RBD', { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' }),
  ...both('ISCSI', { chapAuthDiscovery: 'DiscoveryCHAPAuth', chapAuthSession: 'SessionCHAPAuth' }),
};

/** Of the volume source of a pod and of a PersistentVolume. */
function both<T>(source: string, names: T): Record<string, T> {
  return { [`${source}VolumeSource`]: names, [`${source}PersistentVolumeSource`]: names };
}

const goName = (type: string, name: string): string => {
  const special = goNamesOfType[type]?.[name] ?? goNames[name];
  if (special !== undefined) return special;
  const capitals = name.replace(abbreviation, (word) => word.toUpperCase());
  return capitals.charAt(0).toUpperCase() + capitals.slice(1);
};
