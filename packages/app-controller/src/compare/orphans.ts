import type { AppProject } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { describeId, type ResourceId, resourceIdOf } from '@fairlead/engine';
import { matchesGlob } from '../glob.ts';
import { type DestinationCluster, isResourcePermitted } from '../project/project.ts';
import type { NewCondition } from '../status/conditions.ts';

export interface Orphans {
  readonly ids: readonly ResourceId[];
  readonly conditions: readonly NewCondition[];
}

/** Objects in the namespace of an Application that belong to no Application and have no owner, if its project reports orphans. */
export function orphansOf(
  project: AppProject,
  cluster: DestinationCluster & { readonly live: { orphansIn(namespace: string): readonly KubeObject[] } },
  namespace: string,
): Orphans {
  const { orphanedResources } = project.spec;
  if (!orphanedResources || namespace === '') return none;
  const ids = cluster.live
    .orphansIn(namespace)
    .map(resourceIdOf)
    .filter((id) => !isIgnored(orphanedResources.ignore ?? [], id))
    .filter((id) => isResourcePermitted(project, cluster, id));
  if (ids.length === 0 || !orphanedResources.warn) return { ids, conditions: [] };
  const some = ids.slice(0, 3).map(describeId).join(', ');
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  const message = `Application has ${ids.length} orphaned resources: ${some}${more}: delete them, or list them in spec.orphanedResources.ignore of project '${project.metadata.name}'`;
  return { ids, conditions: [{ type: 'OrphanedResourceWarning', message }] };
}

const none: Orphans = { ids: [], conditions: [] };

type Ignored = NonNullable<NonNullable<AppProject['spec']['orphanedResources']>['ignore']>;

/** An empty group is the core group; an entry without kind or name matches all. */
const isIgnored = (ignored: Ignored, id: ResourceId): boolean =>
  ignored.some(
    ({ group = '', kind, name }) =>
      matchesGlob(group, id.group) && (!kind || matchesGlob(kind, id.kind)) && (!name || matchesGlob(name, id.name)),
  );
