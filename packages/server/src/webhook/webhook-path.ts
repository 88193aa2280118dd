import { parseLabelSelector, type Secret } from '@fairlead/apimachinery';
import {
  createWebhookHandler,
  readWebhookSecrets,
  referredSecretSelector,
  webhookPath,
  webhookSecretName,
} from '@fairlead/app-controller';
import type { MetricsRegistry } from '@fairlead/kube';
import type { PathHandler } from '../http/api-server.ts';
import type { Server } from '../server.ts';
import { requestRefreshes } from './request-refreshes.ts';
import { requestRefreshesOfSets } from './request-set-refreshes.ts';

/** `/api/webhook`: pushes and pull requests that Git hosts and registries report. Senders prove themselves with the secrets of `argocd-secret`. */
export function webhookPaths(server: Server, registry?: MetricsRegistry): Readonly<Record<string, PathHandler>> {
  const { state, log } = server;
  const isReferred = parseLabelSelector(referredSecretSelector);
  const referred = (name: string): Secret | undefined => {
    const secret = state.secret(name);
    return secret && isReferred.matches(secret.metadata.labels ?? {}) ? secret : undefined;
  };
  const refreshApplications = requestRefreshes(server);
  const refreshSets = requestRefreshesOfSets(server);
  const handler = createWebhookHandler({
    secrets: () => readWebhookSecrets(state.secret(webhookSecretName), referred),
    async deliver(push) {
      await Promise.all([refreshApplications(push), refreshSets({ push })]);
    },
    deliverPullRequest: (pullRequest) => refreshSets({ pullRequest }),
    clock: state.clock,
    log,
    ...(registry ? { registry } : {}),
  });
  return { [webhookPath]: (request, response) => handler(request, response) };
}
