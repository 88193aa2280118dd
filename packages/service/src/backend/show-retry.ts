import { gitopsDeploymentKind } from '@fairlead/api';
import { formatTime } from '@fairlead/apimachinery';
import { conditionType } from '../conditions.ts';
import { stableHash } from '../stable-hash.ts';
import type { Context } from './context.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import { retryMessage } from './retry-message.ts';

const unwritten = stableHash({});
const nothing = { source: { repoURL: '', path: '', branch: '' }, destination: { name: '', namespace: '' } };

/** Reports to a tenant that their deployment waits for something that they cannot fix. The rest of the status stays. */
export async function showRetry(
  context: Pick<Context, 'client' | 'clock'>,
  deployment: ObservedDeployment,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name, resourceVersion = '' } = deployment.metadata;
  const message = retryMessage(error);
  const before = deployment.conditions.find(({ type }) => type === conditionType.errorOccurred);
  if (before?.status === 'True' && before.message === message) return;
  const since = before?.status === 'True' ? before.lastTransitionTime : undefined;
  const condition = {
    type: conditionType.errorOccurred,
    status: 'True',
    reason: 'Retrying',
    message,
    lastTransitionTime: since ?? formatTime(context.clock.now()),
  };
  const conditions = [condition, ...deployment.conditions.filter((other) => other !== before)];
  const status = { conditions, ...(deployment.statusHash === unwritten ? { reconciledState: nothing } : {}) };
  await context.client.patch(
    gitopsDeploymentKind.type,
    { namespace, name },
    'merge',
    { metadata: { resourceVersion }, status },
    { subresource: 'status', signal },
  );
}
