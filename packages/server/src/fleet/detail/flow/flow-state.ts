import type { Agent, Application, GitOpsDeployment } from '@fairlead/api';
import { formatAge } from '@fairlead/app-controller/application-text';
import { isRunning, type QueueStatus, type RoleStatus } from '@fairlead/kube';
import type { FlowHop } from '../../api/detail-shapes.ts';

/** All that is known of the way of an Application. */
export interface FlowState {
  readonly now: number;
  readonly application: Application;
  /** Whether the multi-tenant service has made the Application. */
  readonly isTenant: boolean;
  /** Undefined if it has been deleted. */
  readonly deployment?: GitOpsDeployment | undefined;
  /** The agent whose cluster reconciles the Application. */
  readonly agent?: Agent | undefined;
  /** Why a sync window blocks automated syncs. */
  readonly window?: string | undefined;
  /** Undefined before the first list of what roles report. */
  readonly roles?: readonly RoleStatus[] | undefined;
}

/** The fields of a hop that a decision is about. */
export type Finding = Pick<FlowHop, 'state'> &
  Partial<Pick<FlowHop, 'reason' | 'action' | 'since' | 'revision' | 'queue' | 'resource'>>;

export type Hop = FlowHop['id'];

/** What is known of the processes of a role. */
export type RoleFinding =
  | {
      readonly is: 'running';
      readonly queues: readonly QueueStatus[];
      readonly problem?: string;
      readonly since?: string;
    }
  | { readonly is: 'stopped'; readonly problem: string; readonly since: string }
  /** No process has reported, or has said goodbye since. */
  | { readonly is: 'silent' }
  | { readonly is: 'unknown' };

/** The state of a role that has one of these names, from the reports of its processes. */
export function roleFinding({ roles, now }: FlowState, names: readonly string[], title: string): RoleFinding {
  if (!roles) return { is: 'unknown' };
  const own = roles.filter(({ role }) => names.includes(role));
  const running = own.filter((one) => isRunning(one, now));
  const last = own.reduce((latest, { reportedAt }) => Math.max(latest, reportedAt), 0);
  if (running.length > 0) {
    const unwell = running.find(({ problem }) => problem !== undefined);
    return {
      is: 'running',
      queues: running.flatMap(({ queues }) => queues),
      ...(unwell?.problem === undefined ? {} : { problem: unwell.problem }),
    };
  }
  if (own.length === 0) return { is: 'silent' };
  const problem = `The ${title} does not run: it reported last ${formatAge(now - last)} ago.`;
  return { is: 'stopped', problem, since: new Date(last).toISOString() };
}

/** The queues with these names as one; all of them if none is named. */
export function queueOf(found: RoleFinding, names: readonly string[] = []): Pick<Finding, 'queue'> {
  if (found.is !== 'running') return {};
  const own = found.queues.filter(({ name }) => names.length === 0 || names.includes(name));
  if (own.length === 0) return {};
  const ages = own.flatMap(({ oldestSeconds }) => oldestSeconds ?? []);
  return {
    queue: {
      depth: own.reduce((sum, { depth }) => sum + depth, 0),
      ...(ages.length > 0 ? { oldestSeconds: Math.max(...ages) } : {}),
    },
  };
}

export const sentence = (text: string): string => {
  const whole = /[.!?]$/u.test(text) ? text : `${text}.`;
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}`;
};

export const conditionOf = (
  { status }: Application,
  matches: (type: string, message: string) => boolean,
): { readonly message: string; readonly since: Pick<Finding, 'since'> } | undefined => {
  const found = status?.conditions?.find(({ type, message }) => matches(type, message));
  return (
    found && { message: found.message, since: found.lastTransitionTime ? { since: found.lastTransitionTime } : {} }
  );
};

export const revisionOf = ({ status }: Application): Pick<Finding, 'revision'> => {
  const { revision = '', revisions = [] } = status?.sync ?? {};
  const text = revisions.length > 0 ? revisions.join(', ') : revision;
  return text === '' ? {} : { revision: text };
};

export const reconciledAt = ({ status }: Application): Pick<Finding, 'since'> =>
  status?.reconciledAt ? { since: status.reconciledAt } : {};
