import { readFileSync } from 'node:fs';
import type { Command } from '../main.ts';

export const version = (): string => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
};

export const run: Command = async () => {
  console.log(`fairlead ${version()} (node ${process.versions.node})`);
  return 0;
};
