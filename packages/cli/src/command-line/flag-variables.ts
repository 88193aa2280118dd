import { CliError } from '../cli-error.ts';
import type { Flag, Flags } from './command.ts';

/** Variables of these names have a meaning for all commands, and are read with the environment. */
const reserved: ReadonlySet<string> = new Set(['data-dir', 'namespace']);

/** The environment variable of a flag of a role command: `FAIRLEAD_WEBHOOK_PORT`. */
export const variableOf = (flag: string): string => `FAIRLEAD_${flag.toUpperCase().replaceAll('-', '_')}`;

/** The flags of a role command with the values of their environment variables, where they were not given. */
export function withVariables(
  spec: Flags,
  given: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const flags: Record<string, unknown> = { ...given };
  for (const [name, flag] of Object.entries(spec)) {
    const variable = variableOf(name);
    const text = variables[variable];
    if (text === undefined || text === '' || name in given || reserved.has(name)) continue;
    flags[name] = parsedValue(flag, variable, text);
  }
  return flags;
}

function parsedValue({ type, choices }: Flag, variable: string, text: string): boolean | string | string[] {
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new CliError(`invalid ${variable}: use true or false`);
  }
  if (choices && !choices.includes(text)) throw new CliError(`invalid ${variable}: use one of ${choices.join(', ')}`);
  // Lines, for values that contain commas.
  if (type === 'list') return text.split(text.includes('\n') ? '\n' : ',').filter((part) => part !== '');
  return text;
}
