import { messageOf } from '@fairlead/apimachinery';
import { type Clock, type Logger, limits } from '@fairlead/kube';
import type { NotificationsConfig } from '../config/parse-config.ts';
import type { LoadedData } from '../environment/missing-data.ts';
import { type VariableSources, variablesOf } from '../environment/variables.ts';
import type { SendHttp } from '../http/http-message.ts';
import type { SendMail } from '../services/send-mail.ts';
import { GiveUpError, type Service } from '../services/service.ts';
import type { Notification } from '../templates/notification.ts';
import { renderNotification } from '../templates/template.ts';
import type { DeliveryLanes } from './delivery-lanes.ts';
import type { Planned } from './plan.ts';

export interface Senders {
  readonly http: SendHttp;
  readonly mail: SendMail;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

/** Renders one notification and sends it. Rejects if that fails. */
export async function deliverPlanned(
  { templates, destination }: Planned,
  { config, sources, data }: { config: NotificationsConfig; sources: VariableSources; data: LoadedData },
  { lanes, senders, signal }: { lanes: DeliveryLanes; senders: Senders; signal: AbortSignal },
): Promise<void> {
  const service = serviceOf(config, destination.service);
  const notification = await data.evaluate(() =>
    renderNotification(config.templates, templates, variablesOf(sources, destination)),
  );
  const lane = `${destination.service}\n${destination.recipient}`;
  await lanes.run(lane, () => sendInTime(service, notification, destination, senders, signal));
}

function serviceOf({ services }: NotificationsConfig, name: string): Service {
  const entry = services.get(name);
  if (!entry)
    throw new Error(`notification service '${name}' is not supported: it has no key service.* in the ConfigMap`);
  if ('problem' in entry) throw new Error(`service ${name} is invalid: ${entry.problem}`);
  return entry.service;
}

export async function sendInTime(
  service: Service,
  notification: Notification,
  destination: Planned['destination'],
  senders: Senders,
  stopped: AbortSignal,
): Promise<void> {
  const late = new AbortController();
  const cancel = senders.clock.after(limits.notificationMs, () =>
    late.abort(new Error(`the receiver did not answer within ${limits.notificationMs / 1000} s`)),
  );
  try {
    await service.send(notification, destination, { ...senders, signal: AbortSignal.any([stopped, late.signal]) });
  } catch (error) {
    if (late.signal.aborted) throw late.signal.reason;
    if (!(error instanceof GiveUpError)) throw error;
    senders.log.warn('a notification is abandoned', { reason: messageOf(error) });
  } finally {
    cancel();
  }
}
