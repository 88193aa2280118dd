import { openSync, writeSync } from 'node:fs';
import { messageOf } from '@fairlead/apimachinery';
import { CliError } from './cli-error.ts';

/** Where the lines of an audit log go: a file that is appended to, or standard output for `-`. Undefined if none is named. */
export function auditSink(
  file: string | undefined,
  print: (text: string) => void,
): ((line: string) => void) | undefined {
  if (file === undefined) return undefined;
  if (file === '-') return (line) => print(`${line}\n`);
  let descriptor: number;
  try {
    descriptor = openSync(file, 'a', 0o600);
  } catch (error) {
    throw new CliError(`the audit log ${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  // Written before the answer is sent: what was answered is in the file.
  return (line) => {
    writeSync(descriptor, `${line}\n`);
  };
}
