import { messageOf } from '@fairlead/apimachinery/primitives';
import { CliError } from './cli-error.ts';

/** Runs an option parser and turns its errors into a CliError. */
export function readOptions<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const message = messageOf(error).split('. ')[0] ?? '';
    throw new CliError(`${message.charAt(0).toLowerCase()}${message.slice(1)}: see fairlead help`);
  }
}

export function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) throw new CliError(`invalid port ${text}: use a number from 0 to 65535`);
  return port;
}
