import { crdOf, kinds } from '@fairlead/api';
import { defaultProject } from '../install.ts';
import { partOf } from './installation.ts';
import { alertGroups } from './monitoring/alerts.ts';
import type { ScopedObject } from './role-objects.ts';

/** The CRDs of all kinds. */
export const crds = (): object[] => kinds.map((kind) => crdOf(kind));

/** The namespace, with the Pod Security standard that every pod of Fairlead meets. */
export const namespaceObject = (namespace: string): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { ...partOf, 'pod-security.kubernetes.io/enforce': 'restricted' } },
});

/** The objects that belong to no single role. */
export function sharedObjects(namespace: string): ScopedObject[] {
  return [
    { object: defaultProject(namespace) },
    { object: prometheusRule(namespace), when: 'monitoring.prometheusRules' },
  ];
}

const prometheusRule = (namespace: string): object => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'fairlead', namespace, labels: partOf },
  spec: { groups: alertGroups() },
});

/** Grafana's sidecar loads ConfigMaps with this label. */
export const dashboardObject = (namespace: string, name: string, json: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `fairlead-dashboard-${name}`, namespace, labels: { ...partOf, grafana_dashboard: '1' } },
  data: { [`fairlead-${name}.json`]: json },
});
