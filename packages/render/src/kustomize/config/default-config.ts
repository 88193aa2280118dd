import type { FieldSpec } from './field-spec.ts';
import { nameReference } from './name-references.ts';
import type { TransformerConfig } from './transformer-config.ts';

/** `group/version/Kind path +`: parts of the kind are optional; `+` creates missing fields. */
function specs(text: string): FieldSpec[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [who = '', path = '', create] = line.trim().split(/ +/u);
      const parts = who === '*' ? [] : who.split('/');
      const kind = parts.pop();
      const version = parts.find((part) => /^v\d/u.test(part));
      const group = parts.find((part) => part !== version);
      return {
        ...(kind ? { kind } : {}),
        ...(version ? { version } : {}),
        ...(group ? { group } : {}),
        path,
        ...(create ? { create: true } : {}),
      };
    });
}

const metadataLabels = `
  * metadata/labels +
  v1/ReplicationController spec/template/metadata/labels +
  Deployment spec/template/metadata/labels +
  ReplicaSet spec/template/metadata/labels +
  DaemonSet spec/template/metadata/labels +
  apps/StatefulSet spec/template/metadata/labels +
  apps/StatefulSet spec/volumeClaimTemplates[]/metadata/labels +
  batch/Job spec/template/metadata/labels +
  batch/CronJob spec/jobTemplate/metadata/labels +
  batch/CronJob spec/jobTemplate/spec/template/metadata/labels +`;

const podSelectors = (who: string): string =>
  [
    'affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm',
    'affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution',
    'affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm',
    'affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution',
    'topologySpreadConstraints',
  ]
    .map((path) => `${who} spec/template/spec/${path}/labelSelector/matchLabels`)
    .join('\n');

const commonLabels = `
  v1/Service spec/selector +
  v1/ReplicationController spec/selector +
  Deployment spec/selector/matchLabels +
  ${podSelectors('apps/Deployment')}
  ReplicaSet spec/selector/matchLabels +
  DaemonSet spec/selector/matchLabels +
  apps/StatefulSet spec/selector/matchLabels +
  ${podSelectors('apps/StatefulSet')}
  batch/Job spec/selector/matchLabels
  batch/CronJob spec/jobTemplate/spec/selector/matchLabels
  policy/PodDisruptionBudget spec/selector/matchLabels
  networking.k8s.io/NetworkPolicy spec/podSelector/matchLabels
  networking.k8s.io/NetworkPolicy spec/ingress/from/podSelector/matchLabels
  networking.k8s.io/NetworkPolicy spec/egress/to/podSelector/matchLabels`;

const commonAnnotations = `
  * metadata/annotations +
  v1/ReplicationController spec/template/metadata/annotations +
  Deployment spec/template/metadata/annotations +
  ReplicaSet spec/template/metadata/annotations +
  DaemonSet spec/template/metadata/annotations +
  StatefulSet spec/template/metadata/annotations +
  batch/Job spec/template/metadata/annotations +
  batch/CronJob spec/jobTemplate/metadata/annotations +
  batch/CronJob spec/jobTemplate/spec/template/metadata/annotations +`;

const containerVars = ['args', 'command', 'env/value', 'volumeMounts/mountPath'];
const podVars = (who: string, spec: string): string[] =>
  ['containers', 'initContainers'].flatMap((list) => containerVars.map((path) => `${who} ${spec}/${list}/${path}`));
const workloads = ['DaemonSet', 'Deployment', 'Job', 'ReplicaSet'];

const varReference = [
  ...podVars('CronJob', 'spec/jobTemplate/spec/template/spec'),
  'CronJob spec/jobTemplate/spec/template/volumes/nfs/server',
  ...workloads.flatMap((who) => [
    ...podVars(who, 'spec/template/spec'),
    `${who} spec/template/spec/volumes/nfs/server`,
  ]),
  'Deployment spec/template/metadata/annotations',
  'Ingress spec/rules/host',
  'Ingress spec/tls/hosts',
  'Ingress spec/tls/secretName',
  ...podVars('Pod', 'spec'),
  'Pod spec/volumes/nfs/server',
  'Service spec/ports/port',
  'Service spec/ports/targetPort',
  ...podVars('StatefulSet', 'spec/template/spec'),
  'StatefulSet spec/volumeClaimTemplates/spec/nfs/server',
  'PersistentVolume spec/nfs/server',
  '* metadata/labels',
  '* metadata/annotations',
].join('\n');

/** The default field specs of Kustomize. */
export const defaultConfig: TransformerConfig = {
  namePrefix: specs('* metadata/name'),
  nameSuffix: specs('* metadata/name'),
  namespace: specs(`
    Namespace metadata/name +
    apiregistration.k8s.io/APIService spec/service/namespace +
    apiextensions.k8s.io/CustomResourceDefinition spec/conversion/webhook/clientConfig/service/namespace`),
  commonLabels: specs(commonLabels + metadataLabels),
  labels: [],
  templateLabels: specs(metadataLabels),
  commonAnnotations: specs(commonAnnotations),
  nameReference,
  varReference: specs(varReference),
  images: specs(`
    * spec/containers[]/image +
    * spec/initContainers[]/image +
    * spec/volumes[]/image/reference +
    * spec/template/spec/containers[]/image +
    * spec/template/spec/initContainers[]/image +
    * spec/template/spec/volumes[]/image/reference +`),
  replicas: specs(`
    Deployment spec/replicas +
    ReplicationController spec/replicas +
    ReplicaSet spec/replicas +
    StatefulSet spec/replicas +`),
};
