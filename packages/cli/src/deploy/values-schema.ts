import { deployedRoles } from './role-table.ts';

const object = (properties: object): object => ({ type: 'object', additionalProperties: false, properties });
const text = { type: 'string' };
const flag = { type: 'boolean' };

/** The JSON Schema of the chart's values. Helm adds `global`. */
export function valuesSchema(): object {
  const roles = deployedRoles.map(({ name, summary }): [string, object] => [
    name,
    {
      ...object({ replicas: { type: 'integer', minimum: 0 }, resources: { type: 'object' } }),
      description: summary,
    },
  ]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Fairlead chart',
    ...object({
      global: { type: 'object' },
      image: object({
        repository: { ...text, minLength: 1 },
        tag: { ...text, description: 'the version of the chart if empty' },
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      imagePullSecrets: { type: 'array', items: { type: 'object', required: ['name'] } },
      nodeSelector: { type: 'object', additionalProperties: text },
      tolerations: { type: 'array', items: { type: 'object' } },
      logLevel: { enum: ['debug', 'info', 'warn', 'error'] },
      clusterScoped: {
        ...flag,
        description: 'whether Fairlead manages the cluster that it runs on; with false, only other clusters',
      },
      networkPolicies: flag,
      monitoring: object({
        serviceMonitors: { ...flag, description: 'needs the Prometheus operator' },
        prometheusRules: { ...flag, description: 'needs the Prometheus operator' },
        dashboards: { ...flag, description: 'ConfigMaps that the sidecar of Grafana loads' },
      }),
      roles: object(Object.fromEntries(roles)),
    }),
  };
}
