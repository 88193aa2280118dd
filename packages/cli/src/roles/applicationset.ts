import { hostname } from 'node:os';
import { join } from 'node:path';
import { secretType } from '@fairlead/apimachinery';
import {
  ApplicationSetController,
  applicationSetSettings,
  createForgeHttp,
  createSignatures,
  createWebhookHandler,
  followInstallation,
  readWebhookSecrets,
  referredSecretSelector,
  reportSettingProblems,
  reportUnsupportedSettings,
  type WebhookSecret,
  webhookPath,
  webhookSecretName,
} from '@fairlead/app-controller';
import { createJq } from '@fairlead/engine';
import { EventRecorder, Informer, startStatusServer, systemClock, systemRandom } from '@fairlead/kube';
import { createGpg, createSources, type Sources } from '@fairlead/source';
import { type ShutdownSequence, startTogether } from '../shutdown-sequence.ts';
import { followKnownKeys } from './known-keys.ts';
import { roleLeases } from './leases.ts';
import type { Role, RoleContext, RunningRole } from './role.ts';
import { followTrust } from './trust.ts';

export interface ApplicationSetOptions {
  /** The folder for mirrors of repositories. */
  readonly cacheDir: string;
  /** Whether generators may use repositories on the local disk. */
  readonly allowLocalRepositories: boolean;
  /** How often repositories are polled for new commits. */
  readonly pollMs: number;
  /** Those of another role of the process, so that a repository is fetched once. */
  readonly sources?: Sources;
  /** Where webhooks are received; nowhere when absent. */
  readonly webhooks?: { readonly host?: string; readonly port: number };
}

export interface RunningApplicationSets extends RunningRole {
  readonly webhookPort?: number;
}

/** The ApplicationSet controller of one cluster. */
export const applicationSetRole: Role<ApplicationSetOptions, RunningApplicationSets> = {
  id: 'applicationset',
  name: 'ApplicationSet controller',
  lease: roleLeases.applicationset,
  async start(options, context, signal) {
    const { parts, end } = await startTogether(signal, (working, started) =>
      startParts(options, context, working, started),
    );
    return { ...parts, stopped: parts.stopped.finally(end) };
  },
};

async function startParts(
  options: ApplicationSetOptions,
  context: RoleContext,
  signal: AbortSignal,
  started: ShutdownSequence,
): Promise<RunningApplicationSets> {
  const { client, registry, log } = context;
  const environment = context.environment.processes;
  const shared = { clock: systemClock, random: systemRandom, log };
  const { namespace } = context.environment;
  const installation = await followInstallation(client, namespace, shared, signal);
  void reportUnsupportedSettings(client, namespace, 'applicationset', log);
  const jq = createJq({ timeMs: installation.current.jqTimeMs });
  started.add('jq', () => jq.close());
  const trust = await followTrust(client, namespace, shared, signal);
  const sources = options.sources ?? ownSources(options, { environment, trust }, started);
  const forges = createForgeHttp({ clock: systemClock, environment, trust });
  started.add('connections to forges', () => forges.close());
  const instance = `${hostname()}-${process.pid}`;
  const events = new EventRecorder(client, { controller: 'fairlead.dev/applicationset-controller', instance, log });
  started.add('events', () => events.close());
  reportSettingProblems(installation, events, namespace);
  const gpg = createGpg({ dir: join(options.cacheDir, 'applicationset-gnupg'), environment });
  started.add('signatures', () => gpg.close());
  const controller = new ApplicationSetController({
    client,
    sources,
    forges,
    jq,
    signatures: createSignatures(gpg, await followKnownKeys(client, namespace, shared, signal), systemClock),
    events,
    registry,
    settings: () => applicationSetSettings(installation, { namespace, environment }),
    onSettingsChange: installation.onChange,
    ...shared,
  });
  if (context.report) controller.reportTo(context.report);
  const webhookPort = options.webhooks && (await listen(options.webhooks, controller, context, signal, started));
  return { stopped: controller.run(signal), ...(webhookPort === undefined ? {} : { webhookPort }) };
}

function ownSources(
  { cacheDir, pollMs, allowLocalRepositories }: ApplicationSetOptions,
  { environment, trust }: Pick<Parameters<typeof createSources>[0], 'environment' | 'trust'>,
  started: ShutdownSequence,
): Sources {
  const sources = createSources({
    cacheDir: join(cacheDir, 'applicationset-sources'),
    clock: systemClock,
    environment,
    pollMs,
    allowLocal: allowLocalRepositories,
    ...(trust ? { trust } : {}),
  });
  started.add('sources', () => sources.close());
  return sources;
}

/** Receives pushes and changes of pull requests. */
async function listen(
  at: NonNullable<ApplicationSetOptions['webhooks']>,
  controller: ApplicationSetController,
  { client, environment, registry, log }: RoleContext,
  signal: AbortSignal,
  started: ShutdownSequence,
): Promise<number> {
  const { namespace } = environment;
  const shared = { clock: systemClock, random: systemRandom, log };
  const follow = (selection: { fieldSelector?: string; labelSelector?: string }): Informer<WebhookSecret> => {
    const informer = new Informer<WebhookSecret>(client, secretType, { namespace, ...selection }, shared);
    void informer.run(signal);
    return informer;
  };
  const own = follow({ fieldSelector: `metadata.name=${webhookSecretName}` });
  const referred = follow({ labelSelector: referredSecretSelector });
  const handler = createWebhookHandler({
    secrets: () =>
      readWebhookSecrets(own.get(`${namespace}/${webhookSecretName}`), (name) => referred.get(`${namespace}/${name}`)),
    deliver: (push) => controller.deliver({ push }),
    deliverPullRequest: (pullRequest) => controller.deliver({ pullRequest }),
    registry,
    clock: systemClock,
    log,
  });
  const server = await startStatusServer({
    ...at,
    registry,
    live: new Map([['ping', () => undefined]]),
    ready: new Map(),
    routes: new Map([[webhookPath, handler]]),
  });
  started.add('webhooks', () => server.close());
  return server.port;
}
