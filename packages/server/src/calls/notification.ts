import {
  type NotificationsConfig,
  parseNotificationsConfig,
  secretBytes,
} from '@fairlead/app-controller/notifications';
import type { Calls } from '../rpc/call.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';

/** The names of what notifications are made of, which everybody who is signed in may know: annotations of Applications refer to them. */
export const notificationCalls = (server: Server): Calls => ({
  'Notification.ListTriggers': () => namesOf(configOf(server).triggers),
  'Notification.ListServices': () => namesOf(configOf(server).services),
  'Notification.ListTemplates': () => namesOf(configOf(server).templates),
});

const namesOf = (parts: ReadonlyMap<string, unknown>): object => ({
  items: [...parts.keys()].sort().map((name) => ({ name })),
});

/** Fails as a whole if a part is invalid. Names the part without its text, which may contain credentials. */
function configOf({ state }: Server): NotificationsConfig {
  const config = parseNotificationsConfig({
    data: state.configMap('argocd-notifications-cm'),
    secrets: secretBytes(state.secret('argocd-notifications-secret')),
    now: () => state.clock.now(),
  });
  if (config.problems.length === 0) return config;
  const parts = config.problems.map((problem) => `${problem.split(': ')[0] ?? ''} is not valid`);
  throw new RpcError('Unknown', `errors getting apis: [${parts.join(', ')}]`);
}
