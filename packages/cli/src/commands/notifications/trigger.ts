import { tryTrigger } from '@fairlead/app-controller/notifications';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { notificationsTrigger } from '../../command-line/specs/notifications.ts';
import { chosen, printItems } from '../../notifications/print.ts';
import { readConfig } from '../../notifications/read-config.ts';
import { withSubject } from '../../notifications/subject.ts';
import { table } from '../../table.ts';

type Call = Parameters<typeof run>[0];

/** `fairlead notifications trigger get|run` */
export const run: Handler<typeof notificationsTrigger> = async (call) => {
  const [verb] = call.args;
  if (verb === 'get') return get(call);
  if (verb === 'run') return evaluate(call);
  throw new CliError(`unknown command notifications trigger ${verb}: use get or run`);
};

async function get(call: Call): Promise<number> {
  const [, name] = call.args;
  const { triggers } = await readConfig(call);
  const found = chosen(triggers, name).map(
    ([key, conditions]) => [key, conditions.map(({ spec }) => specOf(spec))] as const,
  );
  const rows = () => [
    ['NAME', 'TEMPLATE', 'CONDITION'],
    ...found.flatMap(([key, specs]) =>
      specs.map(({ send = [], when = '' }, i) => [i === 0 ? key : '', send.join(', '), when]),
    ),
  ];
  call.terminal.write(printItems(Object.fromEntries(found), call.flags.output, rows));
  return exitCodes.ok;
}

/** A condition without the fields that are empty. */
function specOf({
  oncePer,
  when,
  description,
  send,
}: {
  oncePer: string;
  when: string;
  description: string;
  send: string[];
}) {
  return {
    ...(oncePer === '' ? {} : { oncePer }),
    ...(when === '' ? {} : { when }),
    ...(description === '' ? {} : { description }),
    ...(send.length === 0 ? {} : { send }),
  };
}

async function evaluate(call: Call): Promise<number> {
  const [, name, application] = call.args;
  if (name === undefined || application === undefined)
    throw new CliError('usage: notifications trigger run NAME APPLICATION');
  const config = await readConfig(call);
  return withSubject(call, application, async (subject) => {
    const results = await tryTrigger(config, name, subject);
    if (!results)
      throw new CliError(
        `there is no trigger ${name}; there are ${[...config.triggers.keys()].sort().join(', ') || 'none'}`,
      );
    const rows = results.map(({ when, triggered }) => [when, String(triggered)]);
    call.terminal.write(table([['CONDITION', 'RESULT'], ...rows]));
    for (const error of results.flatMap(({ errors }) => errors)) call.terminal.writeError(`error: ${error}`);
    return exitCodes.ok;
  });
}
