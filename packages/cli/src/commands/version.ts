import { readFileSync } from 'node:fs';
import { textAt } from '@fairlead/apimachinery';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { version as spec } from '../command-line/specs/instance.ts';

export const version = (): string =>
  textAt(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')), 'version');

/** `fairlead version` */
export const run: Handler<typeof spec> = async ({ flags, terminal }) => {
  const versions = { version: version(), node: process.versions.node, platform: `${process.platform}/${process.arch}` };
  if (flags.output === 'json') terminal.write(`${JSON.stringify(versions, null, 2)}\n`);
  else if (flags.output === 'yaml')
    terminal.write(
      Object.entries(versions)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    );
  else terminal.write(`fairlead ${versions.version} (node ${versions.node})\n`);
  return exitCodes.ok;
};
