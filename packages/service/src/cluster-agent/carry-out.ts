import { ApiError } from '@fairlead/apimachinery';
import type { OperationRow } from '../store/index.ts';
import { carryOutApplication } from './application.ts';
import { carryOutEnvironment } from './cluster-secret.ts';
import type { AgentContext } from './context.ts';
import { carryOutTenant } from './project.ts';
import { carryOutCredentials } from './repository-secret.ts';
import { failed, reached, type Step } from './step.ts';
import { carryOutSync } from './sync.ts';

/** Makes the engine's cluster agree with the row that an Operation names. */
export async function carryOut(context: AgentContext, operation: OperationRow, signal: AbortSignal): Promise<Step> {
  try {
    return await carryOutByType(context, operation, signal);
  } catch (error) {
    if (isRefusal(error)) return failed(error.message);
    throw error;
  }
}

function carryOutByType(context: AgentContext, operation: OperationRow, signal: AbortSignal): Promise<Step> {
  switch (operation.resource_type) {
    case 'Application':
      return carryOutApplication(context, operation, signal);
    case 'ManagedEnvironment':
      return carryOutEnvironment(context, operation, signal);
    case 'RepositoryCredentials':
      return carryOutCredentials(context, operation, signal);
    case 'SyncOperation':
      return carryOutSync(context, operation, signal);
    case 'ClusterUser':
      return carryOutTenant(context, operation, signal);
    case 'GitOpsEngineInstance':
      return Promise.resolve(reached);
  }
}

/** The API server will not do this, now or later: the wish itself is wrong. What is forbidden may be permitted by an operator later. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 413, 422].includes(error.code);
