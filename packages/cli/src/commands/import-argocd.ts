import { type Application, applicationKind, applicationSetKind, appProjectKind } from '@fairlead/api';
import { settingTable } from '@fairlead/api/settings';
import { findSettings, isProblem } from '@fairlead/app-controller';
import { type HttpClient, listAll, systemClock } from '@fairlead/kube';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { argocdControllers, stopControllers } from '../backup/argocd-workloads.ts';
import { CliError } from '../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../command-line/command.ts';
import type { importArgocd } from '../command-line/specs/backup.ts';
import { nameOfObject } from '../deploy/apply-objects.ts';
import { settingFindings } from '../settings/setting-findings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { importFile } from './import.ts';

/** `fairlead import argocd` */
export const run: Handler<typeof importArgocd> = (call) => {
  const [file] = call.args;
  return file === undefined ? onCluster(call, (client) => takeOver(client, call)) : importFile(call, file);
};

/** Argo CD's resources are those of Fairlead: only who works on them changes. */
async function takeOver(client: HttpClient, call: Call<typeof importArgocd.flags>): Promise<number> {
  const { flags, environment, terminal } = call;
  const namespace = flags.namespace ?? environment.namespace;
  await describe(client, namespace, terminal);
  const controllers = await argocdControllers(client, namespace);
  const working = controllers.filter(({ workload }) => (workload.spec?.replicas ?? 1) > 0);
  for (const { workload } of working)
    terminal.write(`${nameOfObject(workload)}: ${workload.spec?.replicas ?? 1} replicas\n`);
  if (working.length === 0) {
    terminal.write(`no controller of Argo CD runs in namespace ${namespace}: run fairlead install\n`);
    return exitCodes.ok;
  }
  if (flags['dry-run']) {
    terminal.write('they would be scaled to zero (dry run)\n');
    return exitCodes.ok;
  }
  if (!flags.yes && !(await isConfirmed(terminal))) return exitCodes.error;
  await stopControllers(client, working, systemClock, terminal.stopped());
  terminal.write('the controllers of Argo CD have stopped: run fairlead install\n');
  return exitCodes.ok;
}

async function describe(client: HttpClient, namespace: string, terminal: Terminal): Promise<void> {
  const [applications, sets, projects] = await Promise.all(
    [applicationKind, applicationSetKind, appProjectKind].map(
      async ({ type }) => (await listAll<Application>(client, type)).items,
    ),
  );
  const running = (applications ?? []).filter(({ operation }) => operation !== undefined);
  terminal.write(
    `${applications?.length ?? 0} Applications, ${sets?.length ?? 0} ApplicationSets, ${projects?.length ?? 0} projects\n`,
  );
  for (const { metadata } of running)
    terminal.write(
      `warning: a sync of Application ${metadata.namespace}/${metadata.name} runs: Fairlead will continue it\n`,
    );
  const { objects } = await findSettings(client, namespace, settingTable);
  for (const { object, key, message } of settingFindings(objects).filter(isProblem))
    terminal.write(`warning: ${object} ${key}: ${message}\n`);
}

async function isConfirmed(terminal: Terminal): Promise<boolean> {
  const answer = await terminal.ask('scale the controllers of Argo CD to zero? [y/N] ');
  if (answer === undefined) throw new CliError('nobody can be asked without a terminal: confirm with --yes');
  return /^y(?:es)?$/iu.test(answer);
}
