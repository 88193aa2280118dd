import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  EventQueue,
  openImageUpdater,
  type RegisteredWebhook,
  type RegistryEndpoint,
  type RuntimeSettings,
  readRegistries,
  type SigningSettings,
  startWebhookServer,
  type UpdateResult,
} from '@fairlead/images';
import {
  EventRecorder,
  LeaderElector,
  startStatusServer,
  systemClock,
  systemRandom,
  TokenBucket,
} from '@fairlead/kube';
import { createImageGate, prepullSavings } from '@fairlead/prepull';
import { type ShutdownSequence, startTogether } from '../shutdown-sequence.ts';
import { roleLeases } from './leases.ts';
import type { Role, RoleContext, RunningRole } from './role.ts';
import { followTrust } from './trust.ts';

export interface ImagesOptions {
  /** The folder for copies of repositories and pending events. */
  readonly dir: string;
  readonly settings: Partial<RuntimeSettings>;
  /** `registries.conf`, as text. */
  readonly registriesConf: string;
  readonly registries?: readonly RegistryEndpoint[];
  readonly allowLocalRepositories: boolean;
  readonly allowProcessCredentials: boolean;
  readonly namespace?: string;
  readonly platform?: { readonly os: string; readonly arch: string } | undefined;
  readonly dryRun: boolean;
  readonly leaderElection: boolean;
  readonly commit: {
    readonly name: string;
    readonly email: string;
    readonly signOff?: boolean;
    readonly signing?: SigningSettings | undefined;
    readonly template?: string | undefined;
    readonly windowMs: number;
  };
  readonly webhooks?: {
    readonly host: string;
    readonly port: number;
    readonly registered: readonly RegisteredWebhook[];
    readonly perHour: number;
  };
  readonly status?: { readonly host: string; readonly port: number };
}

export interface RunningImages extends RunningRole {
  readonly webhookUrl: string | undefined;
  readonly statusPort: number | undefined;
}

/** The image updater of one cluster. It elects its own leader, because every replica accepts webhooks. */
export const imagesRole: Role<ImagesOptions, RunningImages> = {
  id: 'images',
  name: 'image updater',
  lease: roleLeases.images,
  electsItself: true,
  async start(options, context, signal) {
    const { parts, end } = await startTogether(signal, (working, started) =>
      openParts(options, context, working, started),
    );
    return { ...parts, stopped: parts.run().finally(end) };
  },
};

/** One update cycle over all Applications, as `--once` asks for. */
export async function updateOnce(
  options: ImagesOptions,
  context: RoleContext,
  signal: AbortSignal,
): Promise<readonly UpdateResult[]> {
  const { parts, end } = await startTogether(signal, (working, started) =>
    openParts(options, context, working, started),
  );
  return parts.once().finally(end);
}

async function openParts(
  options: ImagesOptions,
  { client, environment, registry, log }: RoleContext,
  working: AbortSignal,
  started: ShutdownSequence,
) {
  const { commit } = options;
  const shared = { clock: systemClock, random: systemRandom, log };
  mkdirSync(join(options.dir, 'repositories'), { recursive: true, mode: 0o700 });
  const instance = `${hostname()}-${process.pid}`;
  const events = new EventRecorder(client, { controller: 'fairlead.dev/image-updater', instance, log });
  started.add('events', () => events.close());
  const updater = await openImageUpdater(
    {
      ...shared,
      client,
      metrics: registry,
      dir: options.dir,
      environment: environment.processes,
      trust: await followTrust(client, environment.namespace, shared, working),
      record: (event) => events.record(event),
      settings: { controllerNamespace: environment.namespace, ...options.settings },
      ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
      endpoints: readRegistries(options.registriesConf, options.registries),
      allowProcessCredentials: options.allowProcessCredentials,
      allowLocalRepositories: options.allowLocalRepositories,
      platform: options.platform,
      dryRun: options.dryRun,
      gate: createImageGate(client, systemClock, { onOpen: prepullSavings(registry) }),
      commit: {
        identity: { name: commit.name, email: commit.email },
        signOff: commit.signOff ?? false,
        signing: commit.signing,
        ...(commit.template === undefined ? {} : { template: commit.template }),
        windowMs: commit.windowMs,
      },
    },
    working,
  );
  started.add('the image updater', () => updater.close());
  const { runtime } = updater;
  const queue = new EventQueue(join(options.dir, 'events'));
  const webhooks = options.webhooks && (await listenForWebhooks(options.webhooks, queue));
  if (webhooks) started.add('webhooks', () => webhooks.close());
  const elector = options.leaderElection
    ? new LeaderElector(client, {
        lease: { namespace: environment.namespace, name: roleLeases.images },
        identity: `${instance}-${randomUUID()}`,
        log,
      })
    : undefined;
  /** A standby has nothing to finish: it is live and ready. */
  const leads = (): boolean => elector?.isLeader ?? true;
  const interval = options.settings.intervalMs ?? 120_000;
  let since = systemClock.now();
  const status =
    options.status &&
    (await startStatusServer({
      ...options.status,
      registry,
      live: new Map([
        [
          'rounds',
          () =>
            leads() && systemClock.now() - (runtime.lastRound ?? since) > 5 * interval + 300_000
              ? 'no cycle has finished recently'
              : undefined,
        ],
      ]),
      ready: new Map([
        ['first cycle', () => (leads() && runtime.lastRound === undefined ? 'not finished yet' : undefined)],
      ]),
    }));
  if (status) started.add('figures', () => status.close());
  const lead = async (term: AbortSignal): Promise<void> => {
    since = systemClock.now();
    await Promise.all([runtime.run(term), queue.drain(async (pushed) => void (await runtime.notify(pushed)), term)]);
  };
  return {
    webhookUrl: webhooks?.url,
    statusPort: status?.port,
    once: () => runtime.cycle(),
    async run() {
      if (!elector) return lead(working);
      while ((await elector.run(working, lead)) === 'lost' && !working.aborted) {
        log.warn('the lease was lost: standing by until this replica leads again');
      }
    },
  };
}

function listenForWebhooks(
  { host, port, registered, perHour }: NonNullable<ImagesOptions['webhooks']>,
  queue: EventQueue,
) {
  const bucket =
    perHour > 0
      ? new TokenBucket({ clock: systemClock, perSecond: perHour / 3600, burst: Math.max(1, Math.ceil(perHour / 60)) })
      : undefined;
  return startWebhookServer(
    {
      registered,
      accept: (events) => queue.put(events, systemClock.now()),
      ...(bucket ? { admit: () => bucket.tryTake() } : {}),
    },
    { host, port },
  );
}
