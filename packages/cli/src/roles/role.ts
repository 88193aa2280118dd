import type { HttpClient, Logger, MetricsRegistry, RoleReport } from '@fairlead/kube';
import type { Environment } from '../environment.ts';

/** The dependencies that a process provides to every role that it runs, whether one role or all of them. */
export interface RoleContext {
  readonly client: HttpClient;
  readonly environment: Environment;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
  /** What the role reports of itself in the cluster; each role of a process has its own. Nothing is reported without it. */
  readonly report?: RoleReport;
  /** The namespace of the report; that of the installation by default. */
  readonly reportNamespace?: string;
}

export interface RunningRole {
  /** Resolves when the role has ended after its signal aborted. */
  readonly stopped: Promise<void>;
}

/**
 * A part of Fairlead that can run as a separate process. The role's command and `fairlead up` start the same
 * definition, so everything that belongs to a role is wired in its `start`.
 */
export interface Role<Options, Running extends RunningRole = RunningRole> {
  /** As its command is called. Reports of its status have it. */
  readonly id: string;
  /** The subject of log lines and of messages about starting and stopping. */
  readonly name: string;
  /** The Lease that one replica holds while it works. Without one, all replicas work. */
  readonly lease?: string;
  /** Whether every replica starts, and takes the Lease itself or shares it with others. `up` takes the Lease before it starts such a role. */
  readonly electsItself?: true;
  /** Resolves once the role works. */
  start(options: Options, context: RoleContext, signal: AbortSignal): Promise<Running>;
}
