import type { KubeObject } from '@fairlead/kube';
import type { WebhookSecrets } from './hosts.ts';

export const webhookSecretName = 'argocd-secret';

/** What Git hosts prove themselves with, from the Secret `argocd-secret`, under the keys that Argo CD gives them. */
export function readWebhookSecrets(
  secret: (KubeObject & { readonly data?: Record<string, string> }) | undefined,
): WebhookSecrets {
  const value = (key: string): string =>
    Buffer.from(secret?.data?.[key] ?? '', 'base64')
      .toString('utf8')
      .trim();
  return {
    github: value('webhook.github.secret'),
    gitlab: value('webhook.gitlab.secret'),
    bitbucketUuid: value('webhook.bitbucket.uuid'),
    bitbucketServer: value('webhook.bitbucketserver.secret'),
    gogs: value('webhook.gogs.secret') || value('webhook.gitea.secret'),
    azureUsername: value('webhook.azuredevops.username'),
    azurePassword: value('webhook.azuredevops.password'),
  };
}
