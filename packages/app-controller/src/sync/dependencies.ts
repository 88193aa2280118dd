import type { Application } from '@fairlead/api';
import { knownAnnotations } from '@fairlead/engine';

export interface Dependencies {
  /** Keys `namespace/name` of the Applications that must be Synced and Healthy before this one is synced. */
  readonly on: readonly string[];
  /** Why a sync is refused: the dependencies can never be met. */
  readonly problem?: string;
  /** What a sync waits for. */
  readonly waiting?: string;
}

const annotation = knownAnnotations.dependsOn.name;

/** The Applications that one names in its annotation; names without a namespace are in its own. */
export const dependencyKeys = ({ metadata }: Application): string[] =>
  (metadata.annotations?.[annotation] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => (name.includes('/') ? name : `${metadata.namespace ?? ''}/${name}`));

/** Whether an Application may be synced, by the state of those that it depends on. */
export function dependenciesOf(application: Application, find: (key: string) => Application | undefined): Dependencies {
  const on = dependencyKeys(application);
  if (on.length === 0) return { on };
  const foreign = on.find((key) => {
    const other = find(key);
    return other && projectOf(other) !== projectOf(application);
  });
  if (foreign !== undefined) {
    const why = `${foreign} is not in project ${projectOf(application)}`;
    return { on, problem: `${annotation}: ${why}: an Application can depend on others of its project only` };
  }
  const cycle = cycleFrom(application, find);
  if (cycle)
    return { on, problem: `${annotation}: the dependencies form a cycle: ${cycle.join(' → ')}: remove one of them` };
  const held = on.flatMap((key) => whyNotReady(key, find(key)) ?? []);
  return held.length > 0 ? { on, waiting: `waiting for ${held.join(', ')} (${annotation})` } : { on };
}

const projectOf = ({ spec }: Application): string => spec.project || 'default';

function whyNotReady(key: string, application: Application | undefined): string | undefined {
  const name = `Application ${key}`;
  if (!application) return `${name}, which does not exist`;
  const { status, operation, metadata } = application;
  if (metadata.deletionTimestamp) return `${name}, which is being deleted`;
  if (operation || status?.operationState?.phase === 'Running') return `${name}, which is being synced`;
  const [sync, health] = [status?.sync?.status ?? 'Unknown', status?.health?.status ?? 'Unknown'];
  return sync === 'Synced' && health === 'Healthy' ? undefined : `${name}, which is ${sync} and ${health}`;
}

/** The names along a cycle that an Application is part of. */
function cycleFrom(
  application: Application,
  find: (key: string) => Application | undefined,
): readonly string[] | undefined {
  const start = `${application.metadata.namespace ?? ''}/${application.metadata.name}`;
  const seen = new Set<string>();
  const search = (current: Application, path: readonly string[]): readonly string[] | undefined => {
    for (const key of dependencyKeys(current)) {
      if (key === start) return [...path, key];
      if (seen.has(key)) continue;
      seen.add(key);
      const next = find(key);
      const cycle = next && search(next, [...path, key]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  return search(application, [start]);
}
