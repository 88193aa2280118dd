import {
  at,
  dns1123Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  must,
} from '@fairlead/apimachinery';
import { noBacksteps } from '../../workloads/pod-spec/paths.ts';
import { csiDriverName, sources as podSources } from '../../workloads/pod-spec/volume-sources.ts';
import type { VolumeSources } from '../../workloads/pod-spec/volume-types.ts';
import type { CsiSource, SecretReference, VolumeSpec } from './volume-types.ts';

type Source = keyof VolumeSpec;
type Check = (spec: VolumeSpec, path: string, name: string) => Iterable<FieldError>;

/** For sources of a persistent volume that are validated like volumes of a pod. */
function asInPods(source: keyof VolumeSources): Check {
  const [, check] = must(
    podSources.find(([kind]) => kind === source),
    `the check of volume source ${source}`,
  );
  return (spec, path) => check(spec, path, { leniency: {} });
}

/** In the order of kube-apiserver. The second name is used in the error for more than one source. */
export const volumeSources: readonly (readonly [Source, string, Check])[] = [
  ['hostPath', 'hostPath', asInPods('hostPath')],
  ['gcePersistentDisk', 'gcePersistentDisk', asInPods('gcePersistentDisk')],
  ['awsElasticBlockStore', 'awsElasticBlockStore', asInPods('awsElasticBlockStore')],
  ['glusterfs', 'glusterfs', (spec, path) => glusterfs(spec, `${path}.glusterfs`)],
  ['flocker', 'flocker', asInPods('flocker')],
  ['nfs', 'nfs', asInPods('nfs')],
  ['rbd', 'rbd', asInPods('rbd')],
  ['quobyte', 'quobyte', asInPods('quobyte')],
  ['cephfs', 'cephFS', asInPods('cephfs')],
  ['iscsi', 'iscsi', iscsi],
  ['cinder', 'cinder', (spec, path) => cinder(spec, `${path}.cinder`)],
  ['fc', 'fc', asInPods('fc')],
  ['flexVolume', '', asInPods('flexVolume')],
  ['azureFile', 'azureFile', (spec, path) => azureFile(spec, `${path}.azureFile`)],
  ['vsphereVolume', 'vsphereVolume', asInPods('vsphereVolume')],
  ['photonPersistentDisk', 'photonPersistentDisk', asInPods('photonPersistentDisk')],
  ['portworxVolume', 'portworxVolume', asInPods('portworxVolume')],
  ['azureDisk', 'azureDisk', asInPods('azureDisk')],
  ['scaleIO', 'scaleIO', asInPods('scaleIO')],
  ['local', 'local', local],
  ['storageos', 'storageos', (spec, path) => storageos(spec, `${path}.storageos`)],
  ['csi', 'csi', (spec, path) => csi(spec.csi ?? {}, `${path}.csi`)],
];

const missing = (path: string, source: object, ...fields: string[]): FieldError[] =>
  fields.filter((field) => !at(source, field)).map((field) => fieldError.required(`${path}.${field}`));

function glusterfs({ glusterfs: source = {} }: VolumeSpec, path: string): FieldError[] {
  const errors = missing(path, source, 'endpoints', 'path');
  const namespace = source.endpointsNamespace;
  if (namespace === undefined) return errors;
  const messages =
    namespace === '' ? ['if the endpointnamespace is set, it must be a valid namespace name'] : dns1123Label(namespace);
  return [...errors, ...invalidEach(`${path}.endpointsNamespace`, namespace, messages)];
}

function cinder({ cinder: source = {} }: VolumeSpec, path: string): FieldError[] {
  const { secretRef } = source;
  return [
    ...missing(path, source, 'volumeID'),
    ...(secretRef ? missing(`${path}.secretRef`, secretRef, 'name', 'namespace') : []),
  ];
}

function azureFile({ azureFile: source = {} }: VolumeSpec, path: string): FieldError[] {
  const errors = missing(path, source, 'secretName', 'shareName');
  return source.secretNamespace === '' ? [...errors, fieldError.required(`${path}.secretNamespace`)] : errors;
}

function storageos({ storageos: source = {} }: VolumeSpec, path: string): FieldError[] {
  const { volumeName, volumeNamespace, secretRef } = source;
  return [
    ...missing(path, source, 'volumeName'),
    ...(volumeName ? invalidEach(`${path}.volumeName`, volumeName, dns1123Label(volumeName)) : []),
    ...(volumeNamespace ? invalidEach(`${path}.volumeNamespace`, volumeNamespace, dns1123Label(volumeNamespace)) : []),
    ...(secretRef ? missing(`${path}.secretRef`, secretRef, 'name', 'namespace') : []),
  ];
}

/** As in pods, except for one message and the length limit of the initiator name. */
function iscsi(spec: VolumeSpec, path: string, name: string): FieldError[] {
  const { targetPortal = '', initiatorName, secretRef } = spec.iscsi ?? {};
  const errors = [...asInPods('iscsi')(spec, path, name)].map((error) => ({
    ...error,
    message: error.message.replace('must be valid format starting with iqn, eui, or naa', 'must be valid format'),
  }));
  if (initiatorName !== undefined && `${name}:${targetPortal}`.length > 64) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.push(fieldError.invalid(`${path}.iscsi.targetportal`, targetPortal, detail));
  }
  if (secretRef && !secretRef.name) errors.push(fieldError.required(`${path}.iscsi.secretRef.name`));
  return errors;
}

function local(spec: VolumeSpec, path: string): FieldError[] {
  const target = spec.local?.path;
  return [
    ...(target ? noBacksteps(target, `${path}.local.path`) : [fieldError.required(`${path}.local.path`)]),
    ...(spec.nodeAffinity ? [] : [fieldError.required(`${path}.nodeAffinity`, 'Local volume requires node affinity')]),
  ];
}

function csi(source: CsiSource, path: string): FieldError[] {
  const references = [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const;
  return [
    ...csiDriverName(source.driver, `${path}.driver`),
    ...missing(path, source, 'volumeHandle'),
    ...references.flatMap((field) => secretReference(source[field], `${path}.${field}`)),
  ];
}

function secretReference(reference: SecretReference | undefined, path: string): FieldError[] {
  if (!reference) return [];
  const { name, namespace } = reference;
  return [
    ...(name ? invalidEach(`${path}.name`, name, dns1123Subdomain(name)) : [fieldError.required(`${path}.name`)]),
    ...(namespace
      ? invalidEach(`${path}.namespace`, namespace, dns1123Label(namespace))
      : [fieldError.required(`${path}.namespace`)]),
  ];
}
