import type { AppProject } from '@fairlead/api';
import type { Selector } from '@fairlead/apimachinery';

/** An entry of `globalProjects` in `argocd-cm`: projects that the selector matches inherit the rules of the named project. */
export interface GlobalProject {
  readonly projectName: string;
  readonly selector: Selector;
}

/** Names of the global projects of a project, in the order of the settings. A project is never its own global project. */
export const globalsOf = ({ metadata }: AppProject, settings: readonly GlobalProject[]): string[] =>
  settings
    .filter(({ projectName, selector }) => projectName !== metadata.name && selector.matches(metadata.labels))
    .map(({ projectName }) => projectName);

/** The last result for each project, valid while its global projects are the same objects. */
const known = new WeakMap<AppProject, { readonly globals: readonly AppProject[]; readonly whole: AppProject }>();

/** A project with the rules of its global projects. Global projects that do not exist are ignored. */
export function withGlobals(
  project: AppProject,
  settings: readonly GlobalProject[],
  find: (name: string) => AppProject | undefined,
): AppProject {
  const globals = globalsOf(project, settings).flatMap((name) => find(name) ?? []);
  if (globals.length === 0) return project;
  const before = known.get(project);
  if (before?.globals.length === globals.length && before.globals.every((one, i) => one === globals[i]))
    return before.whole;
  const whole = globals.reduce(merged, project);
  known.set(project, { globals, whole });
  return whole;
}

const lists = [
  'sourceRepos',
  'destinations',
  'clusterResourceWhitelist',
  'clusterResourceBlacklist',
  'namespaceResourceWhitelist',
  'namespaceResourceBlacklist',
  'syncWindows',
  'destinationServiceAccounts',
] as const satisfies readonly (keyof AppProject['spec'])[];

/** Lists are concatenated; a list that neither has stays absent, which differs from empty. */
function merged(project: AppProject, global: AppProject): AppProject {
  const added = lists.flatMap((name): [string, unknown][] => {
    const more: readonly unknown[] | undefined = global.spec[name];
    return more && more.length > 0 ? [[name, [...(project.spec[name] ?? []), ...more]]] : [];
  });
  return { ...project, spec: { ...project.spec, ...Object.fromEntries(added) } };
}
