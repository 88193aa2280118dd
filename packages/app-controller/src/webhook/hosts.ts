import { limits } from '@fairlead/kube/limits';
import { filesOf, listIn, objectIn, type Payload, type Push, shortRef, textIn } from './push.ts';
import { isSigned, sameText } from './signature.ts';
import { UnresolvedSecret } from './webhook-secrets.ts';

/** The webhook secrets of hosts, as in `argocd-secret`. An empty one is not required. */
export interface WebhookSecrets {
  readonly github?: string;
  readonly gitlab?: string;
  readonly bitbucketUuid?: string;
  readonly bitbucketServer?: string;
  readonly gogs?: string;
  readonly azureUsername?: string;
  readonly azurePassword?: string;
  /** Whether hosts without a secret are accepted; by default until one of the hosts has a secret. */
  readonly unauthenticated?: string;
}

export interface Request {
  /** Undefined for a header that was not sent. */
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

interface Host {
  readonly name: string;
  /** Whether a request comes from this host. */
  readonly isFrom: (header: Request['header']) => boolean;
  /** The secret for a request; empty if none is configured. */
  readonly secret: (secrets: WebhookSecrets) => string;
  /** Only called if there is a secret. */
  readonly isGenuine: (request: Request, secrets: WebhookSecrets) => boolean;
  /** The event of a request; only those of `events` are pushes. */
  readonly event: (header: Request['header'], payload: Payload) => string;
  readonly events: readonly string[];
  readonly pushes: (payload: Payload) => readonly Push[];
}

const signed = (
  headers: readonly string[],
  secret: (secrets: WebhookSecrets) => string | undefined,
): Pick<Host, 'secret' | 'isGenuine'> => ({
  secret: (secrets) => secret(secrets) ?? '',
  isGenuine({ header, body }, secrets) {
    const signature = headers.map(header).find((text) => text !== undefined);
    return signature !== undefined && isSigned(signature, body, secret(secrets) ?? '');
  },
});

/** A push in the format of GitHub, which other hosts use too. */
const githubPush = (payload: Payload): Push => {
  const repository = objectIn(payload, 'repository');
  const ref = textIn(payload, 'ref');
  return {
    urls: [textIn(repository, 'html_url'), textIn(repository, 'clone_url'), textIn(repository, 'ssh_url')].filter(
      Boolean,
    ),
    ref,
    touchedHead: textIn(repository, 'default_branch') === shortRef(ref),
    ...filesOf(payload),
  };
};

/** The first host that recognizes the request handles it: Gitea sends the headers of Gogs and of GitHub in addition to its own. */
export const hosts: readonly Host[] = [
  {
    name: 'Azure DevOps',
    isFrom: (header) => header('x-vss-activityid') !== undefined,
    secret: ({ azureUsername = '', azurePassword = '' }) => azureUsername + azurePassword,
    isGenuine({ header }, { azureUsername = '', azurePassword = '' }) {
      const expected = `Basic ${Buffer.from(`${azureUsername}:${azurePassword}`).toString('base64')}`;
      return sameText(header('authorization') ?? '', expected);
    },
    event: (_, payload) => textIn(payload, 'eventType'),
    events: ['git.push'],
    pushes(payload) {
      const resource = objectIn(payload, 'resource');
      const repository = objectIn(resource, 'repository');
      return first(listIn(resource, 'refUpdates')).map((update) => ({
        urls: [textIn(repository, 'remoteUrl')].filter(Boolean),
        ref: textIn(update, 'name'),
        touchedHead: textIn(update, 'name') === textIn(repository, 'defaultBranch'),
      }));
    },
  },
  {
    name: 'Gitea or Gogs',
    isFrom: (header) => header('x-gogs-event') !== undefined || header('x-gitea-event') !== undefined,
    ...signed(['x-gitea-signature', 'x-gogs-signature', 'x-hub-signature-256'], ({ gogs }) => gogs),
    event: (header) => header('x-gitea-event') ?? header('x-gogs-event') ?? '',
    events: ['push'],
    pushes: (payload) => [githubPush(payload)],
  },
  {
    name: 'GitHub',
    isFrom: (header) => header('x-github-event') !== undefined,
    ...signed(['x-hub-signature-256', 'x-hub-signature'], ({ github }) => github),
    event: (header) => header('x-github-event') ?? '',
    events: ['push'],
    pushes: (payload) => [githubPush(payload)],
  },
  {
    name: 'GitLab',
    isFrom: (header) => header('x-gitlab-event') !== undefined,
    secret: ({ gitlab = '' }) => gitlab,
    isGenuine: ({ header }, { gitlab = '' }) => sameText(header('x-gitlab-token') ?? '', gitlab),
    event: (_, payload) => textIn(payload, 'object_kind') || textIn(payload, 'event_name'),
    events: ['push', 'tag_push'],
    pushes(payload) {
      const project = objectIn(payload, 'project');
      const ref = textIn(payload, 'ref');
      const { files } = filesOf(payload);
      return [
        {
          urls: ['web_url', 'git_http_url', 'git_ssh_url'].map((name) => textIn(project, name)).filter(Boolean),
          ref,
          touchedHead: textIn(project, 'default_branch') === shortRef(ref),
          ...(files ? { files } : {}),
        },
      ];
    },
  },
  {
    name: 'Bitbucket',
    isFrom: (header) => header('x-hook-uuid') !== undefined,
    secret: ({ bitbucketUuid = '' }) => bitbucketUuid,
    isGenuine: ({ header }, { bitbucketUuid = '' }) => sameText(bare(header('x-hook-uuid') ?? ''), bare(bitbucketUuid)),
    event: (header) => header('x-event-key') ?? '',
    events: ['repo:push'],
    pushes(payload) {
      const html = objectIn(objectIn(objectIn(payload, 'repository'), 'links'), 'html');
      return first(listIn(objectIn(payload, 'push'), 'changes')).map((change) => {
        const name = textIn(objectIn(change, 'new'), 'name') || textIn(objectIn(change, 'old'), 'name');
        // The payload does not name the default branch: everything that follows it is refreshed.
        return { urls: [textIn(html, 'href')].filter(Boolean), ref: name, touchedHead: true };
      });
    },
  },
  {
    name: 'Bitbucket Server',
    isFrom: (header) => header('x-event-key') !== undefined,
    ...signed(['x-hub-signature'], ({ bitbucketServer }) => bitbucketServer),
    event: (header) => header('x-event-key') ?? '',
    events: ['repo:refs_changed'],
    pushes(payload) {
      const urls = first(listIn(objectIn(objectIn(payload, 'repository'), 'links'), 'clone'))
        .map((link) => textIn(link, 'href'))
        .filter(Boolean);
      return first(listIn(payload, 'changes')).map((change) => ({
        urls,
        ref: textIn(objectIn(change, 'ref'), 'id') || textIn(change, 'refId'),
        touchedHead: true,
      }));
    },
  },
];

/** One more than the limit, to distinguish a longer list from a full one. */
const first = (list: readonly unknown[]): readonly unknown[] => list.slice(0, limits.webhookPushes + 1);

const bare = (uuid: string): string => uuid.replace(/[{}]/gu, '').toLowerCase();

/** The result of a request. */
export type WebhookResult =
  | { readonly kind: 'push'; readonly host: string; readonly pushes: readonly Push[] }
  /** A ping, or an event that is not a push. */
  | { readonly kind: 'ignored'; readonly host: string; readonly event: string }
  | { readonly kind: 'refused'; readonly code: 400 | 401; readonly message: string };

/** The maximum size of the body of a request, from its headers; 0 if it is refused anyway. */
export function bodyLimit(header: Request['header'], secrets: WebhookSecrets): number {
  const host = hosts.find((one) => one.isFrom(header));
  if (!host) return 0;
  if (hasSecret(host, secrets)) return limits.webhookSignedBytes;
  return acceptsUnauthenticated(secrets) ? limits.webhookUnsignedBytes : 0;
}

/** Parses a request. Its content is not read before it is authenticated. */
export function parsePush(request: Request, secrets: WebhookSecrets): WebhookResult {
  const host = hosts.find((one) => one.isFrom(request.header));
  if (!host) {
    return {
      kind: 'refused',
      code: 400,
      message: `the Git host is unknown: supported are ${hosts.map(({ name }) => name).join(', ')}`,
    };
  }
  const refusal = whyRefused(host, request, secrets);
  if (refusal) return { kind: 'refused', ...refusal };
  let payload: unknown;
  try {
    payload = JSON.parse(request.body.toString('utf8'));
  } catch {
    return {
      kind: 'refused',
      code: 400,
      message: `${host.name}: the payload is not JSON: set the content type to application/json`,
    };
  }
  const said = typeof payload === 'object' && payload !== null ? (payload as Payload) : {};
  const event = host.event(request.header, said);
  if (!host.events.includes(event)) return { kind: 'ignored', host: host.name, event };
  const pushes = host.pushes(said).filter(({ urls, ref }) => urls.length > 0 && ref !== '');
  return pushes.length > 0
    ? { kind: 'push', host: host.name, pushes: bounded(pushes) }
    : { kind: 'refused', code: 400, message: `${host.name}: the payload names no repository or no ref` };
}

/** More refs than are matched individually count as all refs of the repository. */
function bounded(pushes: readonly Push[]): readonly Push[] {
  const [push] = pushes;
  return pushes.length <= limits.webhookPushes || !push ? pushes : [{ ...push, everyRef: true, touchedHead: true }];
}

function whyRefused(
  host: Host,
  request: Request,
  secrets: WebhookSecrets,
): { readonly code: 401; readonly message: string } | undefined {
  try {
    if (host.secret(secrets) !== '') {
      if (host.isGenuine(request, secrets)) return undefined;
      return { code: 401, message: `${host.name}: the secret or signature is not the one of argocd-secret` };
    }
  } catch (error) {
    if (error instanceof UnresolvedSecret) return { code: 401, message: error.message };
    throw error;
  }
  if (!acceptsUnauthenticated(secrets)) {
    return {
      code: 401,
      message: `${host.name} has no secret in argocd-secret: add one, or set webhook.unauthenticated to allow`,
    };
  }
  return undefined;
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
