import type { KubeObject } from '@fairlead/apimachinery';
import { writeYaml } from '@fairlead/render/go-yaml';
import { version } from '../commands/version.ts';
import { defaultImage, type Installation, type Scope } from './installation.ts';
import { roleObjects, type ScopedObject } from './role-objects.ts';
import { deployedRoles, type RoleDeployment } from './role-table.ts';
import { namespaceObject, sharedObjects } from './shared-objects.ts';

export interface ManifestOptions {
  readonly namespace: string;
  readonly ha: boolean;
  readonly scope: Scope;
  readonly image?: string;
}

export const resourcesOf = ({ requests, memoryLimit }: RoleDeployment): object => ({
  requests,
  limits: { memory: memoryLimit },
});

/** Every role that works in the scope. */
export const rolesIn = (scope: Scope): readonly RoleDeployment[] =>
  deployedRoles.filter(({ namespaced }) => scope === 'cluster' || namespaced);

/** The objects of an installation except the CRDs, in the order in which they are applied. */
export function manifests({ namespace, ha, scope, image }: ManifestOptions): KubeObject[] {
  const installation: Installation = {
    namespace,
    image: image ?? `${defaultImage.repository}:${version()}`,
    pullPolicy: defaultImage.pullPolicy,
    logLevel: 'info',
    replicas: ({ replicas }) => replicas[ha ? 'ha' : 'single'],
    resources: resourcesOf,
    podFields: {},
  };
  const scoped = [...sharedObjects(namespace), ...rolesIn(scope).flatMap((role) => roleObjects(role, installation))];
  const objects = [namespaceObject(namespace), ...scoped.filter(isInstalled(scope)).map(({ object }) => object)];
  return JSON.parse(JSON.stringify(objects));
}

/** Without values, network policies are installed, and objects of the Prometheus operator are not. */
const isInstalled =
  (scope: Scope) =>
  ({ scope: only, when }: ScopedObject): boolean =>
    (only === undefined || only === scope) && (when === undefined || when === 'networkPolicies');

export const yamlOf = (objects: readonly object[]): string =>
  objects.map((object) => writeYaml(JSON.parse(JSON.stringify(object)))).join('---\n');
