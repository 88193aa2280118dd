import { coreDescriptions } from './descriptions/core.ts';
import { groupDescriptions } from './descriptions/groups.ts';
import { metaDescriptions } from './descriptions/meta.ts';
import { admissionregistration } from './types/admissionregistration.ts';
import { apiextensions } from './types/apiextensions.ts';
import { apiregistration } from './types/apiregistration.ts';
import { apps } from './types/apps.ts';
import { authentication } from './types/authentication.ts';
import { authorization } from './types/authorization.ts';
import { autoscalingV1 } from './types/autoscaling-v1.ts';
import { autoscalingV2 } from './types/autoscaling-v2.ts';
import { batch } from './types/batch.ts';
import { certificates } from './types/certificates.ts';
import { coordination } from './types/coordination.ts';
import { coreCluster } from './types/core-cluster.ts';
import { corePods } from './types/core-pods.ts';
import { coreVolumes } from './types/core-volumes.ts';
import { discovery } from './types/discovery.ts';
import { events } from './types/events.ts';
import { flowcontrol } from './types/flowcontrol.ts';
import { meta } from './types/meta.ts';
import { networking } from './types/networking.ts';
import { node } from './types/node.ts';
import { policy } from './types/policy.ts';
import { rbac } from './types/rbac.ts';
import { resource } from './types/resource.ts';
import { scheduling } from './types/scheduling.ts';
import { storage } from './types/storage.ts';

/** The types of one group version, and their names. */
export interface TypeGroup {
  /** The prefix in texts of other groups: `core.PodSpec`. */
  readonly alias: string;
  /** The prefix of its type names in OpenAPI. */
  readonly prefix: string;
  /** The API group that its kinds belong to; `undefined` for meta/v1, whose kinds belong to every group. */
  readonly group: string | undefined;
  readonly version: string;
  readonly text: string;
  /** The descriptions of its types and fields. */
  readonly descriptions: string;
}

const api = (alias: string, group: string, version: string, text: string): TypeGroup => ({
  alias,
  prefix: `io.k8s.api.${alias}.${version}`,
  group,
  version,
  text,
  descriptions: alias === 'core' ? coreDescriptions : (groupDescriptions[alias] ?? ''),
});

export const typeGroups: readonly TypeGroup[] = [
  {
    alias: 'meta',
    prefix: 'io.k8s.apimachinery.pkg.apis.meta.v1',
    group: undefined,
    version: 'v1',
    text: meta,
    descriptions: metaDescriptions,
  },
  api('core', '', 'v1', coreVolumes + corePods + coreCluster),
  api('apps', 'apps', 'v1', apps),
  api('batch', 'batch', 'v1', batch),
  api('networking', 'networking.k8s.io', 'v1', networking),
  api('policy', 'policy', 'v1', policy),
  api('autoscaling', 'autoscaling', 'v1', autoscalingV1),
  api('autoscaling', 'autoscaling', 'v2', autoscalingV2),
  api('rbac', 'rbac.authorization.k8s.io', 'v1', rbac),
  api('authentication', 'authentication.k8s.io', 'v1', authentication),
  api('authorization', 'authorization.k8s.io', 'v1', authorization),
  api('coordination', 'coordination.k8s.io', 'v1', coordination),
  api('events', 'events.k8s.io', 'v1', events),
  api('discovery', 'discovery.k8s.io', 'v1', discovery),
  api('storage', 'storage.k8s.io', 'v1', storage),
  api('scheduling', 'scheduling.k8s.io', 'v1', scheduling),
  api('node', 'node.k8s.io', 'v1', node),
  api('admissionregistration', 'admissionregistration.k8s.io', 'v1', admissionregistration),
  api('flowcontrol', 'flowcontrol.apiserver.k8s.io', 'v1', flowcontrol),
  api('certificates', 'certificates.k8s.io', 'v1', certificates),
  api('resource', 'resource.k8s.io', 'v1', resource),
  {
    alias: 'apiextensions',
    prefix: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    group: 'apiextensions.k8s.io',
    version: 'v1',
    text: apiextensions,
    descriptions: groupDescriptions['apiextensions'] ?? '',
  },
  {
    alias: 'apiregistration',
    prefix: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
    group: 'apiregistration.k8s.io',
    version: 'v1',
    text: apiregistration,
    descriptions: groupDescriptions['apiregistration'] ?? '',
  },
];
