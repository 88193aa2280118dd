import { messageOf } from '@fairlead/apimachinery';
import {
  createHttpSender,
  type NotificationsConfig,
  notificationJson,
  type PreviewSubject,
  parseRecipient,
  sendInTime,
  sendMail,
  tryTemplate,
  writtenTemplate,
} from '@fairlead/app-controller/notifications';
import { createLogger, systemClock } from '@fairlead/kube';
import { writeYaml } from '@fairlead/render/go-yaml';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { notificationsTemplate } from '../../command-line/specs/notifications.ts';
import { chosen, printItems } from '../../notifications/print.ts';
import { readConfig } from '../../notifications/read-config.ts';
import { withSubject } from '../../notifications/subject.ts';

type Call = Parameters<typeof run>[0];

/** `fairlead notifications template get|notify` */
export const run: Handler<typeof notificationsTemplate> = async (call) => {
  const [verb] = call.args;
  if (verb === 'get') return get(call);
  if (verb === 'notify') return notify(call);
  throw new CliError(`unknown command notifications template ${verb}: use get or notify`);
};

async function get(call: Call): Promise<number> {
  const [, name] = call.args;
  const { written } = await readConfig(call);
  const found = chosen(written.templates, name).map(([key, raw]) => [key, writtenTemplate(raw) ?? {}] as const);
  const rows = () => [['NAME', 'PREVIEW'], ...found.map(([key, template]) => [key, preview(template)])];
  call.terminal.write(printItems(Object.fromEntries(found), call.flags.output, rows));
  return exitCodes.ok;
}

/** The first line of the message, or of the JSON of a template without one. */
function preview(template: Readonly<Record<string, unknown>>): string {
  const { message } = template;
  const [line = ''] = (typeof message === 'string' ? message : JSON.stringify(template)).split('\n');
  return line.length > 100 ? `${line.slice(0, 99)}...` : line;
}

async function notify(call: Call): Promise<number> {
  const [, name, application] = call.args;
  if (name === undefined || application === undefined)
    throw new CliError('usage: notifications template notify NAME APPLICATION');
  const config = await readConfig(call);
  const recipients = call.flags.recipient ?? ['console:stdout'];
  return withSubject(call, application, async (subject) => {
    for (const recipient of recipients) {
      await deliver(call, config, { name, recipient }, subject).catch((error: unknown) => {
        throw new CliError(`failed to notify ${recipient}: ${messageOf(error)}`);
      });
    }
    return exitCodes.ok;
  });
}

async function deliver(
  { terminal, environment }: Call,
  config: NotificationsConfig,
  { name, recipient }: { readonly name: string; readonly recipient: string },
  subject: PreviewSubject,
): Promise<void> {
  const destination = parseRecipient(recipient);
  const notification = await tryTemplate(config, name, destination, subject);
  if (destination.service === 'console') return terminal.write(writeYaml(notificationJson(notification)));
  const entry = config.services.get(destination.service);
  if (!entry) throw new Error(`service ${destination.service} is not configured`);
  if ('problem' in entry) throw new Error(entry.problem);
  const http = createHttpSender({ environment: environment.processes });
  const log = createLogger({ level: environment.logLevel ?? 'warn', format: environment.logFormat });
  const senders = { http: http.send, mail: sendMail, clock: systemClock, environment: environment.processes, log };
  try {
    await sendInTime(entry.service, notification, destination, senders, terminal.stopped());
    terminal.write(`sent to ${recipient}\n`);
  } finally {
    await http.close();
  }
}
