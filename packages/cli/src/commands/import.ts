import type { KubeObject } from '@fairlead/apimachinery';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { type ImportOutcome, importObjects } from '../backup/import-objects.ts';
import { readBackup } from '../backup/read-backup.ts';
import { type Call, exitCodes, type Handler } from '../command-line/command.ts';
import type { importCommand } from '../command-line/specs/backup.ts';
import { nameOfObject } from '../deploy/apply-objects.ts';

/** `fairlead import` */
export const run: Handler<typeof importCommand> = (call) => importFile(call, call.args[0] ?? '');

type ImportCall = Pick<Call<typeof importCommand.flags>, 'flags' | 'environment' | 'terminal'>;

export async function importFile(call: ImportCall, file: string): Promise<number> {
  const { flags, environment, terminal } = call;
  const objects = readBackup(file, environment.passphrase);
  const counts = new Map<ImportOutcome, number>();
  const dryRun = flags['dry-run'] ?? false;
  const report = (outcome: ImportOutcome, object: KubeObject): void => {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    terminal.write(`${nameOfObject(object)} ${outcome}${dryRun ? ' (dry run)' : ''}\n`);
  };
  return onCluster(call, async (client) => {
    const namespace = flags.namespace ?? environment.namespace;
    await importObjects(objects, { client, namespace, dryRun, overwrite: flags.overwrite ?? false, report });
    terminal.write(`${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ') || 'no objects'}\n`);
    return exitCodes.ok;
  });
}
