import { writeFileSync } from 'node:fs';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { exportObjects } from '../backup/export-objects.ts';
import { seal } from '../backup/sealed-secret.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { exportCommand } from '../command-line/specs/backup.ts';
import { yamlOf } from '../deploy/manifests.ts';

/** `fairlead export` */
export const run: Handler<typeof exportCommand> = async (call) => {
  const { flags, environment, terminal } = call;
  const namespace = flags.namespace ?? environment.namespace;
  const passphrase = environment.passphrase ?? '';
  if (flags.secrets === 'encrypted' && passphrase === '')
    throw new CliError('--secrets encrypted needs a passphrase: set FAIRLEAD_PASSPHRASE');
  return onCluster(call, async (client) => {
    const objects = await exportObjects(client, namespace, { secrets: flags.secrets !== undefined });
    const isHidden = flags.secrets === 'encrypted';
    const text = yamlOf(
      objects.map((object) => (isHidden && object.kind === 'Secret' ? seal(object, passphrase) : object)),
    );
    if (flags.output === undefined) terminal.write(text);
    else {
      // It may contain credentials.
      writeFileSync(flags.output, text, { mode: 0o600 });
      terminal.write(`${objects.length} objects written to ${flags.output}\n`);
    }
    return exitCodes.ok;
  });
};
