import { type Application, applicationKind } from '@fairlead/api';
import { notifiedAnnotation, readMarks } from '@fairlead/app-controller/notifications';
import { eventsType, type KubeEvent } from '@fairlead/kube';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { notificationsStatus } from '../../command-line/specs/notifications.ts';
import { namespaceOf, readConfig } from '../../notifications/read-config.ts';
import { table } from '../../table.ts';

/** `fairlead notifications status [APPLICATION]` */
export const run: Handler<typeof notificationsStatus> = async (call) => {
  const [name] = call.args;
  const namespace = namespaceOf(call);
  const { problems } = await readConfig(call);
  return onCluster(call, async (client) => {
    const { items } = await client.list<Application>(applicationKind.type, { namespace });
    const events = await client.list<KubeEvent>(eventsType, { namespace });
    const applications = items.filter(({ metadata }) => name === undefined || metadata.name === name);
    const sent = applications.flatMap(deliveries);
    const names = new Set(applications.map(({ metadata }) => metadata.name));
    const failed = events.items
      .filter(({ reason, regarding }) => reason === 'NotificationFailed' && names.has(regarding.name))
      .map(({ regarding, series, eventTime, note }) => [
        series?.lastObservedTime ?? eventTime,
        regarding.name,
        String(series?.count ?? 1),
        note,
      ]);
    call.terminal.write(
      sent.length > 0 ? table([['SENT', 'APPLICATION', 'NOTIFICATION'], ...sent]) : 'nothing was sent\n',
    );
    if (failed.length > 0) call.terminal.write(`\n${table([['LAST', 'APPLICATION', 'TIMES', 'FAILURE'], ...failed])}`);
    return failed.length + problems.length > 0 ? exitCodes.degraded : exitCodes.ok;
  });
};

const deliveries = ({ metadata }: Application): string[][] =>
  Object.entries(readMarks(metadata.annotations?.[notifiedAnnotation]))
    .sort(([, a], [, b]) => b - a)
    .map(([key, time]) => [new Date(time * 1000).toISOString().replace('.000', ''), metadata.name, key]);
