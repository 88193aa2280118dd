import type { PullRequestEvents } from './pull-request-change.ts';
import type { Payload, Push } from './push.ts';
import { isSigned } from './signature.ts';

/** What hosts prove themselves with, as `argocd-secret` keeps it. An empty one is not asked for. */
export interface WebhookSecrets {
  readonly github?: string;
  readonly gitlab?: string;
  readonly bitbucketUuid?: string;
  readonly bitbucketServer?: string;
  readonly gogs?: string;
  readonly azureUsername?: string;
  readonly azurePassword?: string;
  readonly harbor?: string;
  /** Whether hosts without a secret are accepted; without a value, they are until one of the hosts has a secret. */
  readonly unauthenticated?: string;
}

export interface Request {
  /** Undefined for a header that was not sent. */
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** A kind of sender of webhooks: a Git host or a registry. */
export interface Host {
  readonly name: string;
  /** Whether a request comes from this host. */
  readonly isFrom: (header: Request['header'], secrets: WebhookSecrets) => boolean;
  /** What proves a request; empty if nothing is configured. */
  readonly secret: (secrets: WebhookSecrets) => string;
  /** Only called if there is a secret. */
  readonly isGenuine: (request: Request, secrets: WebhookSecrets) => boolean;
  /** The event that a request is about; only those of `events` say something of a push. */
  readonly event: (header: Request['header'], payload: Payload) => string;
  readonly events: readonly string[];
  /** Events that are accepted and say nothing: tests of the connection. Undefined if that is so for all others. */
  readonly ignored?: readonly string[];
  /** Undefined if the payload does not say what was pushed to, and it should. */
  readonly pushes: (payload: Payload) => readonly Push[] | undefined;
  /** Events about pull requests, which generators of ApplicationSets read. */
  readonly pullRequests?: PullRequestEvents;
  /** The status of an answer to what does not know the secret; 400 if not given. */
  readonly refusal?: 401;
}

/** A host that signs the body, in the first of these headers that it sends. */
export const signed = (
  headers: readonly string[],
  secret: (secrets: WebhookSecrets) => string | undefined,
): Pick<Host, 'secret' | 'isGenuine'> => ({
  secret: (secrets) => secret(secrets) ?? '',
  isGenuine({ header, body }, secrets) {
    const signature = headers.map(header).find((text) => text !== undefined);
    return signature !== undefined && isSigned(signature, body, secret(secrets) ?? '');
  },
});
