import { prePullImageKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { prepullGc } from '../../command-line/specs/prepull.ts';
import { durationFlag } from '../../duration.ts';
import { imageTable, isFinished, nameOf } from '../../prepull/status-text.ts';
import { listImages } from './list.ts';

/** `fairlead prepull gc` */
export const run: Handler<typeof prepullGc> = async (call) => {
  const { flags, terminal } = call;
  const olderThanMs = durationFlag('older-than', flags['older-than']) ?? 0;
  return onCluster(call, async (client) => {
    const now = Date.now();
    const old = (await listImages(client, flags.namespace)).filter(
      (image) => isFinished(image) && now - Date.parse(image.status?.completionTime ?? '') >= olderThanMs,
    );
    if (old.length === 0) {
      terminal.write('no finished PrePullImages to delete\n');
      return exitCodes.ok;
    }
    terminal.write(`${imageTable(old, terminal.style, now).join('\n')}\n`);
    if (flags['dry-run']) return exitCodes.ok;
    if (!flags.yes) {
      const answer = await terminal.ask(`Delete ${old.length === 1 ? 'it' : `all ${old.length}`}? [y/N] `);
      if (answer === undefined) throw new CliError('cannot ask for confirmation without a terminal: add --yes');
      if (!/^y(es)?$/iu.test(answer)) return exitCodes.ok;
    }
    for (const { metadata } of old) {
      const { namespace = '', name, uid } = metadata;
      await client
        .delete(prePullImageKind.type, { namespace, name }, uid ? { preconditions: { uid } } : {})
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    }
    terminal.write(`${old.length} deleted: ${old.map(nameOf).join(', ')}\n`);
    return exitCodes.ok;
  });
};
