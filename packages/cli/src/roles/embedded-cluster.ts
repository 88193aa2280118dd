import { messageOf } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster as start } from '@fairlead/control-plane';
import type { Logger } from '@fairlead/kube';
import { CliError } from '../cli-error.ts';

export interface EmbeddedClusterOptions {
  readonly dataDir: string;
  /** The required port. */
  readonly port?: number;
  /** The preferred port, if no port is required. */
  readonly lastPort?: number;
  readonly token?: string;
  /** The number of simulated nodes; 3 by default. */
  readonly nodes?: number;
  readonly log: Logger;
  report(message: string): void;
}

/** The embedded Kubernetes: API server, controllers and simulated nodes. */
export async function startEmbeddedCluster({
  port,
  lastPort,
  ...options
}: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const at = (number: number): Promise<EmbeddedCluster> => start({ ...options, port: number });
  if (port === undefined && lastPort !== undefined) {
    try {
      return await at(lastPort);
    } catch (error) {
      if (!isPortTaken(error)) throw error;
    }
  }
  try {
    return await at(port ?? 0);
  } catch (error) {
    throw isPortTaken(error)
      ? new CliError(`port ${port} on 127.0.0.1 is in use: stop what listens there, or choose another with --port`)
      : error;
  }
}

const isPortTaken = (error: unknown): boolean => /is in use: stop what listens/u.test(messageOf(error));
