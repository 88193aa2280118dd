import { settingTable } from '@fairlead/api/settings';
import { findSettings, isProblem } from '@fairlead/app-controller';
import { createLogger, systemClock } from '@fairlead/kube';
import { auditService, defaultServiceSettings, type Finding } from '@fairlead/service';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { doctor } from '../command-line/specs/service.ts';
import { dataDirAt, defaultDataDir } from '../data-dir.ts';
import { controlPlaneNamespace } from '../install.ts';
import { askForAudit } from '../roles/audit-socket.ts';
import { openDatabase } from '../roles/service.ts';
import { settingFindings } from '../settings/setting-findings.ts';
import { table } from '../table.ts';

/** `fairlead doctor` */
export const run: Handler<typeof doctor> = async (call) => {
  const { flags, terminal } = call;
  const disagreements = flags.audit ? await disagreementsOf(call) : [];
  const settings = await settingProblems(call);
  const findings = [...disagreements, ...settings];
  if (flags.output === 'json') terminal.write(`${JSON.stringify(findings, null, 2)}\n`);
  else {
    if (findings.length > 0)
      terminal.write(table([['ABOUT', 'PROBLEM'], ...findings.map(({ about, problem }) => [about, problem])]));
    if (flags.audit)
      terminal.write(
        disagreements.length === 0
          ? 'resources, database rows and Applications agree\n'
          : `${disagreements.length} disagreements\n`,
      );
    if (settings.length > 0) terminal.write(`${settings.length} settings without effect\n`);
    else if (!flags.audit) terminal.write('all settings have an effect\n');
  }
  return findings.length === 0 ? exitCodes.ok : exitCodes.degraded;
};

/** Settings that are set and have no effect. */
async function settingProblems(call: Parameters<typeof run>[0]): Promise<Finding[]> {
  const found = await onCluster(call, (client) => findSettings(client, controlPlaneNamespace, settingTable));
  for (const name of found.forbidden) call.terminal.writeError(`warning: no right to read the settings of ${name}`);
  return settingFindings(found.objects)
    .filter(isProblem)
    .map(({ object, key, kind, message }) => ({ about: `${object}: ${key}`, problem: `${kind}: ${message}` }));
}

async function disagreementsOf(call: Parameters<typeof run>[0]): Promise<Finding[]> {
  const { environment, flags } = call;
  const { databaseUrl } = environment;
  if (databaseUrl === undefined) {
    const dir = dataDirAt(flags['data-dir'] ?? environment.dataDir ?? defaultDataDir);
    return askForAudit(dir).catch((error: Error) => {
      throw new CliError(
        `no instance with a multi-tenant service answers on ${dir.root} (${error.message}): name its data folder with --data-dir, or its database with DATABASE_URL`,
      );
    });
  }
  return onCluster(call, async (client) => {
    const log = createLogger({ level: environment.logLevel ?? 'warn', format: environment.logFormat });
    const database = await openDatabase({ databaseUrl, dataDir: '', log });
    try {
      return await auditService({
        client,
        database,
        namespace: controlPlaneNamespace,
        ...(environment.key === undefined ? {} : { key: environment.key }),
        settings: defaultServiceSettings,
        clock: systemClock,
      });
    } finally {
      await database.close();
    }
  });
}
