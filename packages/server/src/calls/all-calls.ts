import { auditedCalls } from '../audit/audited-calls.ts';
import type { Calls } from '../rpc/call.ts';
import type { Server } from '../server.ts';
import { accountCalls } from './account.ts';
import { applicationCalls } from './application.ts';
import { applicationSetCalls } from './applicationset.ts';
import { certificateCalls } from './certificate.ts';
import { clusterCalls } from './cluster.ts';
import { gpgKeyCalls } from './gpgkey.ts';
import { notificationCalls } from './notification.ts';
import { projectCalls } from './project.ts';
import { repoCredsCalls } from './repocreds.ts';
import { repositoryCalls } from './repository.ts';
import { repositorySourceCalls } from './repository-sources.ts';
import { sessionCalls } from './session.ts';
import { settingsCalls } from './settings.ts';
import { versionCalls } from './version.ts';

/** Every call of the server, audited. */
export const allCalls = (server: Server, version: string): Calls =>
  auditedCalls(server, {
    ...versionCalls({
      version,
      isOpen: () => server.options.disableAuth || server.isOn('users.anonymous.enabled'),
    }),
    ...sessionCalls(server),
    ...accountCalls(server),
    ...settingsCalls(server),
    ...projectCalls(server),
    ...applicationCalls(server),
    ...applicationSetCalls(server),
    ...notificationCalls(server),
    ...repoCredsCalls(server),
    ...repositoryCalls(server),
    ...repositorySourceCalls(server),
    ...clusterCalls(server),
    ...certificateCalls(server),
    ...gpgKeyCalls(server),
  });
