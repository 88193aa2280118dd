import type { DeployedRole } from './policy-rules.ts';
import type { RoleDeployment } from './role-table.ts';

/** Whether Fairlead manages the cluster that it runs on, or has permissions in its own namespace only. */
export type Scope = 'cluster' | 'namespace';

/**
 * The values that differ between installations. Those of the chart are template expressions, so every value may be a text in place of what
 * the field holds.
 */
export interface Installation {
  readonly namespace: string;
  readonly image: string;
  readonly pullPolicy: string;
  readonly logLevel: string;
  replicas(role: RoleDeployment): number | string;
  resources(role: RoleDeployment): object | string;
  /** Additional fields of pod templates, such as nodeSelector. */
  readonly podFields: Readonly<Record<string, unknown>>;
}

export const defaultImage = { repository: 'fairlead', pullPolicy: 'IfNotPresent' } as const;

/** Part of the same application, for `kubectl get -l` and for uninstalling. */
export const partOf = { 'app.kubernetes.io/part-of': 'fairlead' } as const;

export const nameOf = (role: DeployedRole): string => `fairlead-${role}`;

/** The labels that select the pods of a role. */
export const selectorOf = (role: DeployedRole): Record<string, string> => ({
  'app.kubernetes.io/name': nameOf(role),
  'app.kubernetes.io/component': role,
});

export const labelsOf = (role: DeployedRole): Record<string, string> => ({ ...selectorOf(role), ...partOf });
