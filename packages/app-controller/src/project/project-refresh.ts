import { type AppProject, appProjectKind } from '@fairlead/api';
import { isConflict, isNotFound } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { Events } from '../status/events.ts';
import { projectProblems } from './project-problems.ts';

const finalizer = 'resources-finalizer.argocd.argoproj.io';

export interface ProjectRefresh {
  readonly client: ApiClient;
  readonly events: Events;
  /** The number of Applications in the project. */
  readonly applications: (project: AppProject) => number;
}

/** Reports the problems of a project, and removes the finalizer of a deleted one after its last Application. */
export async function refreshProject(
  { client, events, applications }: ProjectRefresh,
  project: AppProject,
  signal: AbortSignal,
): Promise<void> {
  for (const problem of projectProblems(project).slice(0, 10)) {
    events.record({ regarding: project, type: 'Warning', reason: 'InvalidProject', action: 'Validate', note: problem });
  }
  const { deletionTimestamp, finalizers = [], namespace = '', name, resourceVersion = '' } = project.metadata;
  if (!deletionTimestamp || !finalizers.includes(finalizer)) return;
  const left = applications(project);
  if (left > 0) {
    const note = `${left} ${left === 1 ? 'Application is' : 'Applications are'} in this project: it is removed after they are deleted`;
    events.record({ regarding: project, type: 'Normal', reason: 'DeletionWaits', action: 'Delete', note });
    return;
  }
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((one) => one !== finalizer) } };
  try {
    await client.patch(appProjectKind.type, { namespace, name }, 'merge', body, { signal });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
