import { ApiError } from '@fairlead/apimachinery';
import { DecryptionError } from '../cipher.ts';
import type { OperationRow } from '../store/index.ts';
import { reconcileApplication } from './application.ts';
import { reconcileEnvironment } from './cluster-secret.ts';
import type { OperationContext } from './context.ts';
import { reconcileTenant } from './project.ts';
import { reconcileCredentials } from './repository-secret.ts';
import { failed, reached, type Step } from './step.ts';
import { reconcileSync } from './sync.ts';

/** Reconciles Argo CD's cluster with the row that an Operation names. */
export async function runOperation(
  context: OperationContext,
  operation: OperationRow,
  signal: AbortSignal,
): Promise<Step> {
  try {
    return await runByType(context, operation, signal);
  } catch (error) {
    if (isRefusal(error) || error instanceof DecryptionError) return failed(error.message);
    throw error;
  }
}

function runByType(context: OperationContext, operation: OperationRow, signal: AbortSignal): Promise<Step> {
  switch (operation.resource_type) {
    case 'Application':
      return reconcileApplication(context, operation, signal);
    case 'ManagedEnvironment':
      return reconcileEnvironment(context, operation, signal);
    case 'RepositoryCredentials':
      return reconcileCredentials(context, operation, signal);
    case 'SyncOperation':
      return reconcileSync(context, operation, signal);
    case 'ClusterUser':
      return reconcileTenant(context, operation, signal);
    case 'GitOpsEngineInstance':
      return Promise.resolve(reached);
  }
}

/** The API server will never accept this request. A forbidden one may be permitted later. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 413, 422].includes(error.code);
