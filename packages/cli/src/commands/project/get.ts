import { type AppProject, appProjectKind } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { printObject } from '../../applications/tables/print-object.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { projectGet } from '../../command-line/specs/project.ts';
import { findProject } from '../../projects/find-project.ts';
import { table } from '../../table.ts';

/** `fairlead project get PROJECT` */
export const run: Handler<typeof projectGet> = (call) =>
  withBackend(call, async ({ client }) => {
    const { flags, terminal, args } = call;
    const project = await findProject(client, elementAt(args, 0));
    if (flags.output === 'name') terminal.write(`appproject/${project.metadata.name}\n`);
    else if (flags.output === 'json' || flags.output === 'yaml')
      terminal.write(printObject({ ...project, kind: appProjectKind.type.kind }, flags.output));
    else terminal.write(table(page(project)));
    return exitCodes.ok;
  });

function page({ metadata, spec }: AppProject): string[][] {
  const some = (items: readonly string[] | undefined): string => (items?.length ? items.join(', ') : 'none');
  const kinds = (items: readonly { group?: string; kind?: string }[] | undefined): string =>
    some(items?.map(({ group, kind = '' }) => (group ? `${group}/${kind}` : kind)));
  const orphaned = spec.orphanedResources;
  const rows: [string, string][] = [
    ['Name', metadata.name],
    ['Description', spec.description ?? ''],
    ['Repositories', some(spec.sourceRepos)],
    [
      'Destinations',
      some(spec.destinations?.map(({ server, name, namespace }) => `${name || server || ''},${namespace ?? ''}`)),
    ],
    ['Source namespaces', spec.sourceNamespaces?.length ? spec.sourceNamespaces.join(', ') : ''],
    ['Allowed cluster kinds', kinds(spec.clusterResourceWhitelist)],
    ['Denied cluster kinds', kinds(spec.clusterResourceBlacklist)],
    ['Allowed namespaced kinds', spec.namespaceResourceWhitelist ? kinds(spec.namespaceResourceWhitelist) : 'all'],
    ['Denied namespaced kinds', kinds(spec.namespaceResourceBlacklist)],
    ['Roles', some(spec.roles?.map(({ name }) => name))],
    ['Sync windows', String(spec.syncWindows?.length ?? 0)],
    ['Orphaned resources', orphaned ? `reported${orphaned.warn === false ? '' : ' with a warning'}` : 'not reported'],
  ];
  return rows.filter(([, value]) => value !== '');
}
