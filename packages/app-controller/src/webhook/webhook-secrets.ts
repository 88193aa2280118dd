import type { KubeObject } from '@fairlead/apimachinery';
import type { WebhookSecrets } from './webhook-host.ts';

export const webhookSecretName = 'argocd-secret';

/** Secrets that may be referred to from `argocd-secret` carry this label. */
export const referredSecretSelector = 'app.kubernetes.io/part-of=argocd';

export type WebhookSecret = KubeObject & { readonly data?: Record<string, string> };

/** The reference of a webhook secret cannot be resolved. All requests of the host are refused. */
export class UnresolvedSecret extends Error {}

/**
 * The webhook secrets of Git hosts, from the Secret `argocd-secret`, under Argo CD's keys. A value `$key` refers to another key of that
 * Secret, `$name:key` to one of another Secret. Reading an unresolved one throws: it must not count as a secret that is not required.
 */
export function readWebhookSecrets(
  secret: WebhookSecret | undefined,
  find: (name: string) => WebhookSecret | undefined = () => undefined,
): WebhookSecrets {
  const value = (key: string): string => resolve(key, decoded(secret, key) ?? '', secret, find);
  return {
    get github() {
      return value('webhook.github.secret');
    },
    get gitlab() {
      return value('webhook.gitlab.secret');
    },
    get bitbucketUuid() {
      return value('webhook.bitbucket.uuid');
    },
    get bitbucketServer() {
      return value('webhook.bitbucketserver.secret');
    },
    get gogs() {
      return value('webhook.gogs.secret') || value('webhook.gitea.secret');
    },
    get azureUsername() {
      return value('webhook.azuredevops.username');
    },
    get azurePassword() {
      return value('webhook.azuredevops.password');
    },
    get harbor() {
      return value('webhook.harbor.secret');
    },
    get unauthenticated() {
      return value('webhook.unauthenticated');
    },
  };
}

function decoded(secret: WebhookSecret | undefined, key: string): string | undefined {
  const data = secret?.data?.[key];
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString('utf8').trim();
}

function resolve(
  key: string,
  text: string,
  own: WebhookSecret | undefined,
  find: (name: string) => WebhookSecret | undefined,
): string {
  if (!text.startsWith('$')) return text;
  const [first = '', second] = text.slice(1).split(/:(.*)/su);
  const found = second === undefined ? decoded(own, first) : decoded(find(first), second);
  if (found) return found;
  const where =
    second === undefined
      ? `there is no key ${first} in ${webhookSecretName}`
      : `there is no Secret ${first} with the label ${referredSecretSelector} and a key ${second}`;
  throw new UnresolvedSecret(`${webhookSecretName}: ${key} refers to ${text}: ${where}`);
}
