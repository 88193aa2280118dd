import { crdOf, kinds } from '@fairlead/api';
import { defaultProject } from '../install.ts';
import { partOf } from './installation.ts';
import type { ScopedObject } from './role-objects.ts';
import { deployedRoles } from './role-table.ts';

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

const jobs = deployedRoles.map(({ name }) => `fairlead-${name}`).join('|');

function prometheusRule(namespace: string): object {
  const alert = (name: string, expr: string, wait: string, severity: string, summary: string) => ({
    alert: name,
    expr,
    for: wait,
    labels: { severity },
    annotations: { summary },
  });
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'fairlead', namespace, labels: partOf },
    spec: {
      groups: [
        {
          name: 'fairlead',
          rules: [
            alert('FairleadDown', `up{job=~"${jobs}"} == 0`, '5m', 'critical', 'a role of Fairlead does not respond'),
            alert(
              'FairleadEventLoopBlocked',
              `nodejs_eventloop_lag_max_seconds{job=~"${jobs}"} > 5`,
              '10m',
              'warning',
              'a process of Fairlead is blocked for seconds at a time',
            ),
          ],
        },
      ],
    },
  };
}
