import { type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import { formatTime, isNotFound, type KubeObject } from '@fairlead/apimachinery';
import { deploymentStatus } from '../deployments/deployment-status.ts';
import { stableHash } from '../stable-hash.ts';
import { type DeploymentRow, unpackStatus } from '../store/index.ts';
import type { Context } from './context.ts';
import { type ObservedDeployment, observedDeployment } from './observed-deployment.ts';

export interface Problem {
  readonly reason: string;
  readonly message: string;
}

type StatusContext = Pick<Context, 'client' | 'deployments' | 'clock' | 'metrics'>;

/** Writes the status of a GitOpsDeployment, if it changed. No other function writes it. */
export async function writeDeploymentStatus(
  context: StatusContext,
  deployment: ObservedDeployment,
  row: Pick<DeploymentRow, 'status' | 'statusAt'> | undefined,
  problem: Problem | undefined,
  signal: AbortSignal,
): Promise<void> {
  const now = formatTime(context.clock.now());
  const status = deploymentStatus({
    previous: deployment.conditions,
    ...(problem ? { error: problem } : {}),
    ...(row?.status ? { instance: unpackStatus(row.status) } : {}),
    environment: deployment.spec.destination?.environment ?? 'in-cluster',
    now,
  });
  const isSilent = !row?.status && status.conditions === undefined;
  if (isSilent || stableHash(status) === deployment.statusHash) return;
  const { apiVersion, kind, metadata, spec } = deployment;
  try {
    const written = await context.client.replace<KubeObject>(
      gitopsDeploymentKind.type,
      { apiVersion, kind, metadata, spec, status } as GitOpsDeployment,
      { subresource: 'status', signal },
    );
    context.deployments.wrote(observedDeployment(written as GitOpsDeployment));
    if (row?.statusAt) context.metrics.up.observe({}, (context.clock.now() - row.statusAt.getTime()) / 1000);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
