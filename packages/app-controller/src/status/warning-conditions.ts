import type { Application, AppProject } from '@fairlead/api';
import { syncOptionProblem } from '@fairlead/engine';
import type { Cluster } from '../cluster/cluster.ts';
import { healthError } from '../compare/compare-reasons.ts';
import { orphansOf } from '../compare/orphans.ts';
import { ownerCycles } from '../compare/owner-cycles.ts';
import { projectProblems } from '../project/project-problems.ts';
import type { ReconcileEnv } from '../reconcile-env.ts';
import type { Observation } from '../refresh/observe.ts';
import type { DesiredState } from '../source/desired-state.ts';
import { dependenciesOf } from '../sync/dependencies.ts';
import type { NewCondition } from './conditions.ts';
import { storeNameOf } from './resource-store.ts';

/** Warnings about an Application in addition to the comparison itself. */
export function warningConditions(
  { settings, metrics, applications }: Pick<ReconcileEnv, 'settings' | 'metrics' | 'applications'>,
  application: Application,
  { project, cluster }: { readonly project: AppProject; readonly cluster: Cluster },
  { desired, comparison }: Pick<Observation, 'desired' | 'comparison'>,
): NewCondition[] {
  const orphans = orphansOf(project, cluster, application.spec.destination.namespace ?? '');
  metrics?.orphans(application, orphans.ids.length);
  const live = comparison.resources.flatMap((resource) => resource.live ?? []);
  const { problem } = dependenciesOf(application, (key) => applications.get(key));
  return [
    ...(problem === undefined ? [] : [{ type: 'DependencyWarning', message: problem } as const]),
    ...hydratorOff(application, settings.hydrator?.enabled ?? false),
    ...healthError(comparison.resources),
    ...nondeterministicTemplates(desired),
    ...optionWarnings(application),
    ...orphans.conditions,
    ...ownerCycles(cluster.live, live),
    ...invalidProject(project),
    ...resourcesMoved(settings.inlineResources, application, comparison.resources.length),
  ];
}

interface WithSyncOptions {
  readonly spec: { readonly syncPolicy?: { readonly syncOptions?: readonly string[] } };
  readonly status?: {
    readonly operationState?: { readonly operation: { readonly sync?: { readonly syncOptions?: readonly string[] } } };
  };
}

/** Sync options that do not exist: those of the spec, and those that only the last operation has. */
export function optionWarnings({ spec, status }: WithSyncOptions): NewCondition[] {
  const ofSpec = spec.syncPolicy?.syncOptions ?? [];
  const ofOperation = (status?.operationState?.operation.sync?.syncOptions ?? []).filter(
    (option) => !ofSpec.includes(option),
  );
  return [
    ...optionProblems('spec.syncPolicy.syncOptions', ofSpec),
    ...optionProblems('syncOptions of the last operation', ofOperation),
  ];
}

const optionProblems = (where: string, options: readonly string[]): NewCondition[] =>
  options
    .flatMap((option) => syncOptionProblem(option) ?? [])
    .map((problem) => ({ type: 'InvalidAnnotationWarning', message: `${where}: ${problem}` }));

function invalidProject(project: AppProject): NewCondition[] {
  const [first, ...more] = projectProblems(project);
  if (first === undefined) return [];
  const besides = more.length > 0 ? `; and ${more.length} more` : '';
  return [{ type: 'InvalidProjectWarning', message: `project '${project.metadata.name}': ${first}${besides}` }];
}

/** Values that templates generate at every render cannot be compared with those generated before. */
function nondeterministicTemplates({ rendered }: DesiredState): NewCondition[] {
  const names = [...new Set(rendered.flatMap((one) => one?.nondeterministic ?? []))].sort();
  if (names.length === 0) return [];
  return [
    {
      type: 'NondeterministicWarning',
      message: `templates use ${names.join(', ')}, which have another result at every render: set the value, or store it in a Secret`,
    },
  ];
}

/** Otherwise one would wait for a commit that nobody makes. */
const hydratorOff = ({ spec }: Application, enabled: boolean): NewCondition[] =>
  spec.sourceHydrator && !enabled
    ? [
        {
          type: 'NotSupportedWarning',
          message:
            'spec.sourceHydrator: nothing is rendered to the branch, because hydrator.enabled in ConfigMap argocd-cmd-params-cm is not true',
        },
      ]
    : [];

function resourcesMoved(limit: number, application: Application, count: number): NewCondition[] {
  if (count <= limit) return [];
  const message = `${count} resources, of which ${limit} are listed here: all of them are in ConfigMap ${application.metadata.namespace}/${storeNameOf(application)}`;
  return [{ type: 'ResourcesMoved', message }];
}
