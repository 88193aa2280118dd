import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createLogger, type HttpClient, LeaderElector, Manager } from '@fairlead/kube';
import type { Environment } from '../environment.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { startReported } from './report-role.ts';
import type { Role, RunningRole } from './role.ts';

/** One role with its options, as a command runs it. */
export interface RoleRun {
  readonly name: string;
  readonly lease: string | undefined;
  start(context: Parameters<Role<unknown>['start']>[1], signal: AbortSignal): Promise<{ ready: string } & RunningRole>;
}

/** Binds a role to its options, and to the line that its command prints once the role works. */
export const roleRun = <O, R extends RunningRole>(
  role: Role<O, R>,
  options: O,
  ready: (running: R) => string,
): RoleRun => ({
  name: role.name,
  lease: role.electsItself ? undefined : role.lease,
  async start(context, signal) {
    const running = await startReported(role, options, context, signal);
    return { ready: ready(running), stopped: running.stopped };
  },
});

export interface RunRolesOptions {
  readonly client: HttpClient;
  readonly environment: Environment;
  readonly terminal: Terminal;
  readonly leaseNamespace?: string;
  /** The address of `/metrics`, `/healthz` and `/readyz` on every replica; not served if absent. */
  readonly status?: { readonly host?: string; readonly port: number } | undefined;
}

/** The deadline of a graceful stop after SIGTERM. */
const stopMs = 10_000;

/** Runs roles in this process until the signal aborts. A role with a Lease works while this replica leads. */
export async function runRoles(
  roles: readonly RoleRun[],
  { client, environment, terminal, leaseNamespace = environment.namespace, status }: RunRolesOptions,
  signal: AbortSignal,
): Promise<void> {
  const log = createLogger({ level: environment.logLevel ?? 'info', format: environment.logFormat });
  const lease = roles.find((role) => role.lease !== undefined)?.lease;
  const identity = `${hostname()}-${process.pid}-${randomUUID()}`;
  const manager = new Manager({
    ...(lease === undefined
      ? {}
      : { elector: new LeaderElector(client, { lease: { namespace: leaseNamespace, name: lease }, identity, log }) }),
    ...(status ? { status } : {}),
    stopMs,
    log,
  });
  for (const role of roles) {
    const runnable = {
      name: role.name,
      async run(term: AbortSignal): Promise<void> {
        const { ready, stopped } = await role.start(
          { client, environment, registry: manager.registry, log, reportNamespace: leaseNamespace },
          term,
        );
        terminal.write(`${ready}\n`);
        await stopped;
      },
    };
    if (role.lease === undefined) manager.addEverywhere(runnable);
    else manager.add(runnable);
  }
  await manager.run(signal);
}
