import type { AppProject } from '@fairlead/api';

/** An entry of `globalProjects` in `argocd-cm`: the projects that the labels choose have the rules of the named one too. */
export interface GlobalProject {
  readonly projectName: string;
  readonly selector: LabelSelector;
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelExpression[];
}

export const labelOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

export interface LabelExpression {
  readonly key: string;
  readonly operator: (typeof labelOperators)[number];
  readonly values?: readonly string[];
}

/** A selector that says nothing chooses all. */
function chooses({ matchLabels = {}, matchExpressions = [] }: LabelSelector, { metadata }: AppProject): boolean {
  const labels = metadata.labels ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => holds(expression, labels[expression.key]))
  );
}

function holds({ operator, values = [] }: LabelExpression, value: string | undefined): boolean {
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  const isIn = value !== undefined && values.includes(value);
  return operator === 'In' ? isIn : !isIn;
}

/** The names of the projects whose rules a project has too, in the order of the settings. None is its own. */
export const globalsOf = (project: AppProject, settings: readonly GlobalProject[]): string[] =>
  settings
    .filter(({ projectName, selector }) => projectName !== project.metadata.name && chooses(selector, project))
    .map(({ projectName }) => projectName);

/** The last outcome for each project: where its parts are the very same, so is the whole. */
const known = new WeakMap<AppProject, { readonly globals: readonly AppProject[]; readonly whole: AppProject }>();

/** A project with the rules of its global projects. One that does not exist has none to add. */
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

/** Rules of lists add up; a list that neither has stays absent, which is another thing than empty. */
function merged(project: AppProject, global: AppProject): AppProject {
  const added = lists.flatMap((name): [string, unknown][] => {
    const more: readonly unknown[] | undefined = global.spec[name];
    return more && more.length > 0 ? [[name, [...(project.spec[name] ?? []), ...more]]] : [];
  });
  return { ...project, spec: { ...project.spec, ...Object.fromEntries(added) } };
}
