import type { Application } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { findApplication, findWhole, keyFrom, listApplications } from '../applications/selection/find-application.ts';
import { statusFilter } from '../applications/selection/status-filter.ts';
import {
  applicationPage,
  applicationTable,
  byName,
  type TableOptions,
} from '../applications/tables/application-table.ts';
import { printable, printList, printObject } from '../applications/tables/print-object.ts';
import { clusters, projects, repositories } from '../applications/tables/settings-tables.ts';
import { healthWord, stateText, syncWord } from '../applications/tables/status-text.ts';
import { applicationBranches, branchLines } from '../applications/tables/tree-lines.ts';
import { watchApplications } from '../applications/watch/watch-table.ts';
import type { ObjectClient } from '../backend/backend.ts';
import { withBackend } from '../backend/with-backend.ts';
import { CliError } from '../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../command-line/command.ts';
import type { get } from '../command-line/specs/get.ts';
import { didYouMean } from '../did-you-mean.ts';
import { controlPlaneNamespace } from '../install.ts';
import { customOutput, sorted } from '../output/list-output.ts';
import { deployments } from '../tenants/deployment-table.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Flags = Call<typeof get.flags>['flags'];

const kinds: Readonly<Record<string, 'apps' | 'projects' | 'clusters' | 'repos' | 'deployments'>> = {
  apps: 'apps',
  app: 'apps',
  application: 'apps',
  applications: 'apps',
  projects: 'projects',
  project: 'projects',
  proj: 'projects',
  appprojects: 'projects',
  clusters: 'clusters',
  cluster: 'clusters',
  repos: 'repos',
  repo: 'repos',
  repositories: 'repos',
  deployments: 'deployments',
  deployment: 'deployments',
  gitopsdeployments: 'deployments',
};

/** `fairlead get KIND [NAME…]` */
export const run: Handler<typeof get> = async (call) => {
  const { flags, args, terminal } = call;
  const [word = '', ...names] = args;
  const [before = '', after] = word.split('/');
  const kind = Object.hasOwn(kinds, before) ? kinds[before] : undefined;
  if (!kind) {
    throw new CliError(
      `unknown kind ${word}${didYouMean(word, Object.keys(kinds))}: use apps, deployments, projects, clusters or repos`,
    );
  }
  const selected = after ? [after, ...names] : names;
  if (kind !== 'apps' && flags.watch) throw new CliError(`-w is not supported for ${kind}: use it with apps`);
  const form = flags.output?.split('=')[0];
  if (flags.output?.includes('=') && (flags.watch || kind === 'deployments'))
    throw new CliError(`-o ${form} is not supported ${flags.watch ? 'with -w' : 'for deployments'}: use -o json`);
  return withBackend(call, async (backend) => {
    const { client } = backend;
    if (kind === 'projects') return projects(client, terminal, selected, flags);
    if (kind === 'clusters') return clusters(backend, terminal, selected, flags);
    if (kind === 'deployments')
      return deployments(client, terminal, selected, { namespace: flags.namespace, form: flags.output });
    if (kind === 'repos') return repositories(backend, terminal, selected, flags);
    return applications(client, terminal, selected, flags);
  });
};

export const tableOptions = (
  terminal: Terminal,
  flags: { output?: string; 'all-namespaces'?: boolean; namespace?: string; 'no-headers'?: boolean },
): TableOptions => ({
  style: terminal.style,
  wide: flags.output === 'wide',
  namespaces:
    Boolean(flags['all-namespaces']) || (flags.namespace !== undefined && flags.namespace !== controlPlaneNamespace),
  columns: terminal.columns,
  now: Date.now(),
  ...(flags['no-headers'] ? { noHeaders: true } : {}),
});

async function applications(
  client: ObjectClient,
  terminal: Terminal,
  names: readonly string[],
  flags: Flags,
): Promise<number> {
  const keep = statusFilter(flags.status);
  const namespace = flags['all-namespaces'] ? undefined : (flags.namespace ?? controlPlaneNamespace);
  const selection = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
  };
  const table = tableOptions(terminal, flags);
  if (flags.watch) {
    const selected = new Set(names.map((name) => keyFrom(name, flags.namespace).name));
    const chosen = (one: Application): boolean => (selected.size === 0 || selected.has(one.metadata.name)) && keep(one);
    return watchApplications(client, terminal, { selection, keep: chosen, form: flags.output ?? 'table', table });
  }
  if (names.length === 1 && (flags.output ?? 'table') !== 'tree') {
    const application = await findWhole(client, keyFrom(elementAt(names, 0), flags.namespace));
    const custom = customOutput([printable(application)], flags, true);
    terminal.write(custom ?? printOne(application, flags.output ?? 'table', table));
    return exitCodes.ok;
  }
  const found =
    names.length > 0
      ? await Promise.all(names.map((name) => findApplication(client, keyFrom(name, flags.namespace))))
      : await listApplications(client, selection);
  const shown = sorted(found.filter(keep).sort(byName), flags, printable);
  const form = flags.output ?? 'table';
  // An empty list for programs, a hint for people.
  if (shown.length === 0 && ['table', 'wide', 'tree'].includes(form)) {
    terminal.write(emptyState(found.length, flags, namespace));
    return exitCodes.ok;
  }
  terminal.write(customOutput(shown.map(printable), flags) ?? printMany(shown, form, table));
  return exitCodes.ok;
}

function emptyState(all: number, { status, selector }: Flags, namespace: string | undefined): string {
  if (all > 0) return `none of ${all} Applications is ${status}\n`;
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  if (selector !== undefined) return `no Application${where} has the labels ${selector}\n`;
  return `no Applications${where} yet. Create one:\n  fairlead app create NAME --repo URL --path DIR --dest-namespace NS --sync-policy auto\n${namespace === undefined ? '' : 'or list all namespaces:\n  fairlead get apps -A\n'}`;
}

export function printOne(application: Application, form: string, table: TableOptions): string {
  if (form === 'json' || form === 'yaml') return printObject(application, form);
  if (form === 'name') return `application/${application.metadata.name}\n`;
  return `${applicationPage(application, table).join('\n')}\n`;
}

function printMany(applications: readonly Application[], form: string, table: TableOptions): string {
  if (form === 'json' || form === 'yaml') return printList(applications, form);
  if (form === 'name') return applications.map(({ metadata }) => `application/${metadata.name}\n`).join('');
  if (form === 'tree') {
    const { style } = table;
    const title = (one: Application): string =>
      [style.strong(one.metadata.name), stateText(syncWord(one), style), stateText(healthWord(one), style)].join('  ');
    const branches = applicationBranches(applications, title, style);
    return branches.map(({ text, parts }) => `${[text, ...branchLines(parts)].join('\n')}\n`).join('');
  }
  return `${applicationTable(applications, table).join('\n')}\n`;
}
