import type { Application, ApplicationSet } from '@fairlead/api';
import { findDestination, type KnownCluster } from '../known-clusters.ts';

export interface ValidationEnv {
  /** Whether there is a project with this name. */
  readonly hasProject: (name: string) => boolean;
  readonly clusters: readonly KnownCluster[];
  readonly inCluster: boolean;
}

/** What is wrong with generated Applications, by name, in Argo CD's words. */
export function validateApplications(
  set: ApplicationSet,
  applications: readonly Application[],
  { hasProject, clusters, inCluster }: ValidationEnv,
): Map<string, string> {
  const problems = new Map<string, string>();
  const names = new Set<string>();
  for (const { metadata, spec } of applications) {
    const { name } = metadata;
    if (name === '') {
      problems.set(
        name,
        `ApplicationSet ${set.metadata.name} contains an application with no name; a name must be set in the template's metadata.name or via a templatePatch (generateName is not supported)`,
      );
    } else if (names.has(name)) {
      problems.set(name, `ApplicationSet ${set.metadata.name} contains applications with duplicate name: ${name}`);
    } else {
      names.add(name);
      const destination = findDestination(spec.destination, clusters, inCluster);
      if (!hasProject(spec.project))
        problems.set(name, `application references project ${spec.project} which does not exist`);
      else if ('problem' in destination)
        problems.set(name, `application destination spec is invalid: ${destination.problem}`);
    }
  }
  return problems;
}

/** One message for all: the last, so that the status stays small. */
export function describeProblems(problems: ReadonlyMap<string, string>): string {
  const last = [...problems].sort(([a], [b]) => (a < b ? -1 : 1)).at(-1)?.[1] ?? '';
  return problems.size > 1 ? `${last} (and ${problems.size - 1} more)` : last;
}
