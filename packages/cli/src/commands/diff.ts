import { parseArgs } from 'node:util';
import { folderTree } from '@fairlead/source';
import { CliError } from '../cli-error.ts';
import { withCluster } from '../cluster-connection.ts';
import { noColours, terminalColours } from '../diff/colours.ts';
import { compareWithLive, type DiffRequest } from '../diff/compare-with-live.ts';
import { printDiff } from '../diff/print-diff.ts';
import { controlPlaneNamespace } from '../install.ts';
import type { Command } from '../main.ts';
import { readOptions } from '../options.ts';
import { sourceFolderAt, withRenderErrors } from '../render/source-folder.ts';

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      app: { type: 'string' },
      'app-namespace': { type: 'string' },
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      'data-dir': { type: 'string' },
      root: { type: 'string' },
      source: { type: 'string' },
      ref: { type: 'string', multiple: true },
      'exit-code': { type: 'boolean' },
    },
  });

/** The exit code for a difference. */
const drift = 2;

/** `fairlead diff PATH --app NAME`: what a sync from that folder would change. */
export const run: Command = async (args, environment) => {
  const { values: flags, positionals } = readOptions(() => parse(args));
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new CliError('usage: fairlead diff PATH --app NAME');
  if (!flags.app) throw new CliError('missing --app NAME: the Application to compare with');
  const place = sourceFolderAt(path, flags.root);
  const request: DiffRequest = {
    app: flags.app,
    appNamespace: flags['app-namespace'] ?? controlPlaneNamespace,
    path: place.path,
    tree: folderTree(place.root),
    environment,
    refs: new Map((flags.ref ?? []).map(readRef)),
    ...(flags.source === undefined ? {} : { position: readPosition(flags.source) }),
  };
  const chosen = { kubeconfig: flags.kubeconfig, context: flags.context, dataDir: flags['data-dir'] };
  const { objects, warnings } = await withRenderErrors(flags.root, () =>
    withCluster(chosen, environment.processes, (client) => compareWithLive(client, request)),
  );
  for (const warning of warnings) console.error(`! ${warning}`);
  process.stdout.write(printDiff(objects, process.stdout.isTTY && environment.colours ? terminalColours : noColours));
  return flags['exit-code'] !== false && objects.some(({ kind }) => kind !== 'same') ? drift : 0;
};

function readRef(text: string): [string, ReturnType<typeof folderTree>] {
  const [name = '', folder = ''] = text.split(/=(.*)/su);
  if (name === '' || folder === '') throw new CliError(`invalid --ref ${text}: use NAME=FOLDER`);
  return [name.replace(/^\$/u, ''), folderTree(sourceFolderAt(folder, folder).root)];
}

function readPosition(text: string): number {
  if (!/^[1-9]\d*$/u.test(text)) throw new CliError(`invalid --source ${text}: use a number from 1`);
  return Number(text);
}
