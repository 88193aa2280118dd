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
import { table } from '../table.ts';

/** `fairlead doctor --audit` */
export const run: Handler<typeof doctor> = async (call) => {
  const { flags, terminal } = call;
  if (!flags.audit) throw new CliError('missing --audit: run fairlead doctor --audit');
  const findings = await findingsOf(call);
  if (flags.output === 'json') terminal.write(`${JSON.stringify(findings, null, 2)}\n`);
  else if (findings.length === 0) terminal.write('resources, database rows and Applications agree\n');
  else {
    terminal.write(table([['ABOUT', 'PROBLEM'], ...findings.map(({ about, problem }) => [about, problem])]));
    terminal.write(`${findings.length} disagreements\n`);
  }
  return findings.length === 0 ? exitCodes.ok : exitCodes.degraded;
};

async function findingsOf(call: Parameters<typeof run>[0]): Promise<Finding[]> {
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
