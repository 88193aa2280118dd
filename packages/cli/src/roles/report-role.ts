import { hostname } from 'node:os';
import { publishRoleStatus, RoleReport, systemClock } from '@fairlead/kube';
import { version } from '../commands/version.ts';
import type { Role, RoleContext, RunningRole } from './role.ts';

/** The process, as reports of its roles name it. */
export const instanceName = (): string => `${hostname()}-${process.pid}`;

/**
 * Starts a role and reports its status in the cluster from now until it has stopped: a role that cannot start yet reports why. `stopped` includes the
 * end of the reports.
 */
export async function startReported<O, R extends RunningRole>(
  role: Role<O, R>,
  options: O,
  context: RoleContext,
  signal: AbortSignal,
): Promise<R> {
  const { client, log, environment, reportNamespace = environment.namespace } = context;
  const report = new RoleReport();
  const over = new AbortController();
  const published = publishRoleStatus(
    {
      client,
      namespace: reportNamespace,
      role: role.id,
      instance: instanceName(),
      version: version(),
      report,
      clock: systemClock,
      log,
    },
    AbortSignal.any([signal, over.signal]),
  );
  const end = async (): Promise<void> => {
    over.abort();
    await published;
  };
  try {
    const running = await role.start(options, { ...context, report }, signal);
    return { ...running, stopped: running.stopped.finally(end) };
  } catch (error) {
    await end();
    throw error;
  }
}
