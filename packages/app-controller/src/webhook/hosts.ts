import { limits } from '@fairlead/kube/limits';
import { gitHosts } from './git-hosts.ts';
import type { PullRequestChange } from './pull-request-change.ts';
import type { Payload, Push } from './push.ts';
import { registryHosts } from './registry-hosts.ts';
import type { Host, Request, WebhookSecrets } from './webhook-host.ts';
import { UnresolvedSecret } from './webhook-secrets.ts';

const hosts: readonly Host[] = [...gitHosts, ...registryHosts];

/** `answer` is the response to the sender, `message` the reason, for the log. */
interface Refusal {
  readonly kind: 'refused';
  readonly code: 400 | 401;
  readonly answer: string;
  readonly message: string;
}

/** The result of a request. */
export type WebhookResult =
  | { readonly kind: 'push'; readonly host: string; readonly pushes: readonly Push[] }
  | { readonly kind: 'pull request'; readonly host: string; readonly change: PullRequestChange }
  /** A ping, or an event that changes nothing. */
  | { readonly kind: 'ignored'; readonly host: string; readonly event: string }
  | Refusal;

/** The maximum size of the body of a request, from its headers; 0 if it is refused anyway. */
export function bodyLimit(header: Request['header'], secrets: WebhookSecrets): number {
  const host = hosts.find((one) => one.isFrom(header, secrets));
  if (!host) return 0;
  if (hasSecret(host, secrets)) return limits.webhookSignedBytes;
  return acceptsUnauthenticated(secrets) ? limits.webhookUnsignedBytes : 0;
}

const refused = (message: string, code: 400 | 401 = 400): Refusal => ({
  kind: 'refused',
  code,
  answer: code === 401 ? 'Unauthorized' : 'Webhook processing failed',
  message,
});

/** Parses a request. Its content is not read before it is authenticated. */
export function parseWebhook(request: Request, secrets: WebhookSecrets): WebhookResult {
  const host = hosts.find((one) => one.isFrom(request.header, secrets));
  if (!host) {
    const known = hosts.map(({ name }) => name).join(', ');
    return { ...refused(`the sender is unknown: supported are ${known}`), answer: 'Unknown webhook event' };
  }
  const refusal = whyRefused(host, request, secrets);
  if (refusal) return refusal;
  if (valuesOf(request.body) > limits.webhookValues)
    return refused(`${host.name}: the payload has more than ${limits.webhookValues} values (limit webhookValues)`);
  let payload: unknown;
  try {
    payload = JSON.parse(request.body.toString('utf8'));
  } catch {
    return refused(`${host.name}: the payload is not JSON: set the content type to application/json`);
  }
  const said = typeof payload === 'object' && payload !== null ? (payload as Payload) : {};
  const event = host.event(request.header, said);
  if (host.pullRequests?.events.includes(event)) {
    const change = host.pullRequests.change(said);
    return change ? { kind: 'pull request', host: host.name, change } : { kind: 'ignored', host: host.name, event };
  }
  if (!host.events.includes(event)) {
    if (!host.ignored || host.ignored.includes(event)) return { kind: 'ignored', host: host.name, event };
    return refused(`${host.name}: the event ${event || 'without a name'} is neither a push nor a pull request`);
  }
  const pushes = host.pushes(said)?.filter(({ urls, ref }) => urls.length > 0 && ref !== '');
  if (pushes?.length === 0 && !host.ignored) return { kind: 'ignored', host: host.name, event };
  return pushes && pushes.length > 0
    ? { kind: 'push', host: host.name, pushes: bounded(pushes) }
    : refused(`${host.name}: the payload names no repository or no ref`);
}

/** At least as many as there are objects, lists and entries: characters in texts count too. */
function valuesOf(body: Buffer): number {
  let count = 0;
  for (const byte of body) if (byte === comma || byte === bracket || byte === brace) count += 1;
  return count;
}

const [comma, bracket, brace] = Buffer.from(',[{');

/** More refs than are matched individually count as all refs of the repository. */
function bounded(pushes: readonly Push[]): readonly Push[] {
  const [push] = pushes;
  return pushes.length <= limits.webhookPushes || !push ? pushes : [{ ...push, everyRef: true, touchedHead: true }];
}

function whyRefused(host: Host, request: Request, secrets: WebhookSecrets): Refusal | undefined {
  try {
    if (host.secret(secrets) !== '') {
      if (host.isGenuine(request, secrets)) return undefined;
      return refused(`${host.name}: the secret or signature is not the one of argocd-secret`, host.refusal);
    }
  } catch (error) {
    if (error instanceof UnresolvedSecret) return refused(error.message);
    throw error;
  }
  if (acceptsUnauthenticated(secrets)) return undefined;
  const remedy = 'add one, or set webhook.unauthenticated to allow';
  return refused(`${host.name} has no secret in argocd-secret: ${remedy}`, 401);
}

function acceptsUnauthenticated(secrets: WebhookSecrets): boolean {
  if (secrets.unauthenticated) return secrets.unauthenticated === 'allow';
  return !hosts.some((host) => hasSecret(host, secrets));
}

/** A reference to a missing key was meant as a secret. */
function hasSecret(host: Host, secrets: WebhookSecrets): boolean {
  try {
    return host.secret(secrets) !== '';
  } catch (error) {
    if (error instanceof UnresolvedSecret) return true;
    throw error;
  }
}
