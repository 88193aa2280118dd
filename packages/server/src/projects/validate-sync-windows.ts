import type { AppProject } from '@fairlead/api';
import { durationProblem, messageOf } from '@fairlead/apimachinery';
import { parseCron } from '@fairlead/app-controller';
import { RpcError } from '../rpc/rpc-error.ts';

export type SyncWindow = NonNullable<AppProject['spec']['syncWindows']>[number];

/** Refuses sync windows for their first problem. */
export function validateSyncWindows(windows: readonly SyncWindow[]): void {
  const seen = new Set<string>();
  for (const window of windows) {
    const { kind = '', schedule = '', duration = '' } = window;
    const identity = identityOf(window);
    if (seen.has(identity)) {
      throw new RpcError(
        'AlreadyExists',
        `sync window with kind '${kind}', schedule '${schedule}', and duration '${duration}' already exists`,
      );
    }
    seen.add(identity);
    const problem = windowProblem(window);
    if (problem !== undefined) throw new RpcError('Unknown', problem);
    if (!window.applications?.length && !window.namespaces?.length && !window.clusters?.length) {
      throw new RpcError(
        'OutOfRange',
        `window '${kind}':'${schedule}':'${duration}' requires one of application, cluster or namespace`,
      );
    }
  }
}

/** Whether a person may sync, and the description, do not make another window. */
const identityOf = (window: SyncWindow): string =>
  JSON.stringify([
    window.kind,
    window.schedule,
    window.duration,
    window.applications ?? [],
    window.namespaces ?? [],
    window.clusters ?? [],
    window.timeZone ?? '',
    window.andOperator ?? false,
  ]);

function windowProblem({ kind = '', schedule = '', duration = '', description = '' }: SyncWindow): string | undefined {
  if (kind !== 'allow' && kind !== 'deny') return `kind '${kind}' mismatch: can only be allow or deny`;
  const wrongSchedule = scheduleProblem(schedule);
  if (wrongSchedule !== undefined) return `cannot parse schedule '${schedule}': ${wrongSchedule}`;
  const wrongDuration = durationProblem(duration);
  if (wrongDuration !== undefined) return `cannot parse duration '${duration}': ${wrongDuration}`;
  return Buffer.byteLength(description) > 255 ? 'description must not exceed 255 characters' : undefined;
}

function scheduleProblem(schedule: string): string | undefined {
  try {
    parseCron(schedule);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Windows are stored with their time zone; one that does not exist is UTC. */
export function withTimeZones(project: AppProject): AppProject {
  const { syncWindows } = project.spec;
  if (!syncWindows) return project;
  const zoned = syncWindows.map((window) => (isTimeZone(window.timeZone) ? window : { ...window, timeZone: 'UTC' }));
  return { ...project, spec: { ...project.spec, syncWindows: zoned } };
}

function isTimeZone(name = ''): boolean {
  if (name === '') return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return name === 'Local';
  }
}
