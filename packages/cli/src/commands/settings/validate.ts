import { settingTable } from '@fairlead/api/settings';
import { findSettings, isProblem, type SettingObject } from '@fairlead/app-controller';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { settingsValidate } from '../../command-line/specs/settings.ts';
import { controlPlaneNamespace } from '../../install.ts';
import { settingsInFiles } from '../../settings/setting-files.ts';
import { settingFindings } from '../../settings/setting-findings.ts';
import { table } from '../../table.ts';

/** `fairlead settings validate` */
export const run: Handler<typeof settingsValidate> = async (call) => {
  const { flags, terminal } = call;
  const objects = flags.file ? settingsInFiles(flags.file) : await settingsOnCluster(call);
  const findings = settingFindings(objects);
  const problems = findings.filter(isProblem).length;
  if (flags.output === 'json') {
    const shown = findings.map(({ kind, object, key, message }) => ({ kind, object, key, message }));
    terminal.write(`${JSON.stringify(shown, null, 2)}\n`);
  } else {
    const rows = findings.map(({ kind, object, key, message }) => [kind, object, key, message]);
    if (rows.length > 0) terminal.write(table([['STATUS', 'OBJECT', 'KEY', 'MESSAGE'], ...rows]));
    const checked = `${objects.length} ${objects.length === 1 ? 'object' : 'objects'}`;
    terminal.write(`${problems} ${problems === 1 ? 'problem' : 'problems'} in ${checked}\n`);
  }
  return problems === 0 ? exitCodes.ok : exitCodes.error;
};

async function settingsOnCluster(call: Call<typeof settingsValidate.flags>): Promise<readonly SettingObject[]> {
  const namespace = call.flags.namespace ?? controlPlaneNamespace;
  const { objects, forbidden } = await onCluster(call, (client) => findSettings(client, namespace, settingTable));
  for (const name of forbidden) call.terminal.writeError(`warning: no right to read ${name} in namespace ${namespace}`);
  return objects;
}
