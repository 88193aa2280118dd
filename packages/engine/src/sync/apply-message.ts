import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { groupOf } from '../resource-id.ts';

/** `deployment.apps/web`, as kubectl names an object. */
export const kubectlName = (
  { group }: Pick<ResourceType, 'group'>,
  { apiVersion, kind, metadata }: KubeObject,
): string => `${kind.toLowerCase()}${groupOf(apiVersion) === '' ? '' : `.${group}`}/${metadata.name}`;

export type ApplyOutcome = 'created' | 'configured' | 'unchanged' | 'replaced' | 'serverside-applied';

/** The output of kubectl for one object, as Argo CD reports it: the result, then the warnings. */
export const applyMessage = (
  name: string,
  outcome: ApplyOutcome,
  warnings: readonly string[] = [],
  dryRun = false,
): string => [`${name} ${outcome}${dryRun ? ' (dry run)' : ''}`, ...warnings].join('. ');

/** kubectl's warning for an object that it did not create. Argo CD runs kubectl's code with an empty command name, which leaves the spaces. */
export const missingLastApplied = ({ plural }: Pick<ResourceType, 'plural'>, { metadata }: KubeObject): string =>
  `Warning: resource ${plural}/${metadata.name} is missing the kubectl.kubernetes.io/last-applied-configuration annotation which is required by  apply.  apply should only be used on resources created declaratively by either  create --save-config or  apply. The missing annotation will be patched automatically.`;
