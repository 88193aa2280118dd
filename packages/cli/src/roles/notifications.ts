import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Secret, secretType } from '@fairlead/apimachinery';
import {
  defaultSettings,
  followInstallation,
  RepositoryAccess,
  reportUnsupportedSettings,
  repositorySecretSelector,
  withInstallation,
} from '@fairlead/app-controller';
import {
  createHttpSender,
  createNotificationMetrics,
  NotificationsController,
  sendMail,
  sourceData,
} from '@fairlead/app-controller/notifications';
import { EventRecorder, Informer, systemClock, systemRandom } from '@fairlead/kube';
import { createSources } from '@fairlead/source';
import { type ShutdownSequence, startTogether } from '../shutdown-sequence.ts';
import { roleLeases } from './leases.ts';
import type { Role, RoleContext, RunningRole } from './role.ts';
import { followTrust } from './trust.ts';

export interface NotificationsOptions {
  /** The folder for mirrors of repositories, which templates may read commits of. */
  readonly cacheDir: string;
  readonly allowLocalRepositories: boolean;
}

/** The notifications controller of one cluster. */
export const notificationsRole: Role<NotificationsOptions> = {
  id: 'notifications',
  name: 'notifications controller',
  lease: roleLeases.notifications,
  async start(options, context, signal) {
    const { parts, end } = await startTogether(signal, (working, started) =>
      startParts(options, context, working, started),
    );
    return { ...parts, stopped: parts.stopped.finally(end) };
  },
};

async function startParts(
  options: NotificationsOptions,
  { client, environment, registry, log, report }: RoleContext,
  signal: AbortSignal,
  started: ShutdownSequence,
): Promise<RunningRole> {
  const shared = { clock: systemClock, random: systemRandom, log };
  const installation = await followInstallation(client, environment.namespace, shared, signal);
  const settings = withInstallation({ ...defaultSettings, namespace: environment.namespace }, installation);
  const { namespace } = settings;
  void reportUnsupportedSettings(client, namespace, 'notifications', log);
  const trust = await followTrust(client, environment.namespace, shared, signal);
  const sources = createSources({
    cacheDir: join(options.cacheDir, 'notifications'),
    clock: systemClock,
    environment: environment.processes,
    pollMs: 120_000,
    allowLocal: options.allowLocalRepositories,
    trust,
  });
  started.add('sources', () => sources.close());
  const secrets = new Informer<Secret>(
    client,
    secretType,
    { namespace, labelSelector: repositorySecretSelector },
    shared,
  );
  const access = new RepositoryAccess(secrets);
  void secrets.run(signal);
  const http = createHttpSender({
    environment: environment.processes,
    certificatesFor: (host) => trust.certificates?.(host),
  });
  started.add('connections to receivers', () => http.close());
  const events = new EventRecorder(client, {
    controller: 'fairlead.dev/notifications',
    instance: `${hostname()}-${process.pid}`,
    log,
  });
  started.add('events', () => events.close());
  const controller = new NotificationsController({
    client,
    ...shared,
    http: http.send,
    mail: sendMail,
    environment: environment.processes,
    settings: {
      namespace,
      get applicationNamespaces() {
        return settings.applicationNamespaces ?? [];
      },
      selfService: installation.current.selfServiceNotifications,
    },
    loadData: sourceData({ sources, access }),
    events,
    metrics: createNotificationMetrics(registry),
    registry,
  });
  if (report) controller.reportTo(report);
  return { stopped: controller.run(signal) };
}
