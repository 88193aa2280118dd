import { type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import { listAll } from '@fairlead/kube';
import { printList } from '../applications/tables/print-object.ts';
import type { ObjectClient } from '../backend/backend.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../command-line/command.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The problem of a deployment, from its conditions. */
export const problemOf = ({ status }: GitOpsDeployment): string =>
  status?.conditions?.find((condition) => condition.status === 'True')?.message ?? '';

/** GitOpsDeployments of one namespace or of all, with their problems. */
export async function deployments(
  client: ObjectClient,
  terminal: Terminal,
  names: readonly string[],
  { namespace, form = 'table' }: { readonly namespace?: string | undefined; readonly form?: string | undefined },
): Promise<number> {
  const { items } = await listAll<GitOpsDeployment>(
    client,
    gitopsDeploymentKind.type,
    namespace === undefined ? {} : { namespace },
  );
  const missing = names.find((name) => items.every(({ metadata }) => metadata.name !== name));
  if (missing !== undefined) throw new CliError(`deployment ${missing} not found`);
  const shown = names.length === 0 ? items : items.filter(({ metadata }) => names.includes(metadata.name));
  if (form === 'json' || form === 'yaml') terminal.write(printList([...shown], form));
  else if (form === 'name')
    for (const { metadata } of shown) terminal.write(`${metadata.namespace}/${metadata.name}\n`);
  else if (shown.length === 0) terminal.write('no namespace has a GitOpsDeployment\n');
  else {
    const rows = shown.map((one) => [
      one.metadata.namespace ?? '',
      one.metadata.name,
      one.spec.type,
      one.status?.sync?.status ?? '-',
      one.status?.health?.status ?? '-',
      one.spec.destination?.environment ?? 'in-cluster',
      one.spec.source.repoURL ?? one.spec.source.repository ?? '',
      one.spec.source.path,
      problemOf(one),
    ]);
    const head = ['TENANT', 'NAME', 'TYPE', 'SYNC', 'HEALTH', 'ENVIRONMENT', 'REPOSITORY', 'PATH', 'PROBLEM'];
    terminal.write(table([head, ...rows]));
  }
  return exitCodes.ok;
}
