import type { Json, KubeObject } from '@fairlead/apimachinery';

export type Selectable = Readonly<Record<string, (object: KubeObject) => string>>;

/** Field selectors of kube-apiserver in addition to metadata.name and metadata.namespace, by `apiVersion/Kind`. */
export const selectableFields: Readonly<Record<string, Selectable>> = {
  'v1/Pod': {
    ...texts('spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'status.phase'),
    ...texts('status.nominatedNodeName'),
    'spec.host': at('spec.nodeName'),
    'spec.hostNetwork': at('spec.hostNetwork', 'false'),
    'status.podIP': at('status.podIPs.0.ip'),
    // Accepted, but never set: it matches the empty value only.
    'status.podIPs': () => '',
  },
  'v1/Node': { 'spec.unschedulable': at('spec.unschedulable', 'false') },
  'v1/Namespace': texts('status.phase'),
  'v1/Secret': texts('type'),
  'v1/Service': texts('spec.clusterIP', 'spec.type'),
  'v1/ReplicationController': { 'status.replicas': at('status.replicas', '0') },
  'batch/v1/Job': { 'status.successful': at('status.succeeded', '0') },
  'certificates.k8s.io/v1/CertificateSigningRequest': texts('spec.signerName'),
  'resource.k8s.io/v1/ResourceSlice': texts('spec.nodeName', 'spec.driver'),
  'v1/Event': {
    ...texts('involvedObject.kind', 'involvedObject.namespace', 'involvedObject.name', 'involvedObject.uid'),
    ...texts('involvedObject.apiVersion', 'involvedObject.resourceVersion', 'involvedObject.fieldPath'),
    ...texts('reason', 'reportingComponent', 'type'),
    source: (event) => at('source.component')(event) || at('reportingComponent')(event),
  },
  'events.k8s.io/v1/Event': {
    ...texts('regarding.kind', 'regarding.namespace', 'regarding.name', 'regarding.uid'),
    ...texts('regarding.apiVersion', 'regarding.resourceVersion', 'regarding.fieldPath'),
    ...texts('reason', 'reportingController', 'type'),
  },
};

function texts(...paths: string[]): Selectable {
  return Object.fromEntries(paths.map((path) => [path, at(path)]));
}

function at(path: string, absent = ''): (object: KubeObject) => string {
  const steps = path.split('.');
  return (object) => {
    let value: unknown = object;
    for (const step of steps) value = (value as Record<string, Json> | null | undefined)?.[step];
    return value === undefined || value === null ? absent : String(value);
  };
}
