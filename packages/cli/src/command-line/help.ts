import type { CommandSpec, Flag } from './command.ts';
import { entries, groups, subgroups } from './table.ts';

export const groupSummaries: Readonly<Record<string, string>> = {
  account: 'accounts of the API server: list, tokens, passwords, rights',
  agent: 'agents of other clusters: invite, join, status, drain, rotate, block and more',
  app: 'Applications: create, sync, wait, diff, explain, roll back and more',
  appset: 'ApplicationSets: create, preview, list, get and delete',
  cert: 'TLS certificates and SSH host keys of repository servers',
  cluster: 'clusters that Applications are deployed to: list, get, add, remove',
  demo: 'push an image to the demo registry of fairlead up',
  gpg: 'GPG keys that commits are verified with',
  image: 'image updater: run it, explain its choice, test a rule',
  import: 'restore a backup, or take over from Argo CD',
  notifications: 'notifications: status, try triggers and templates, run the controller',
  project: 'projects: what their Applications may use, roles and their tokens',
  repo: 'repositories: list, get, add, remove',
  repocreds: 'credentials for all repositories below a URL',
  rbac: 'test and check the policy of argocd-rbac-cm',
  prepull: 'pre-pull images on nodes: list, pull now, run the controller',
  settings: 'check the settings of Argo CD',
  tenant: 'tenants of the multi-tenant service',
};

const groupOf = ({ name }: CommandSpec): string | undefined => (name.includes(' ') ? name.split(' ')[0] : undefined);

/** All commands; a group is one line. */
export function overview(): string {
  const rows: [string, string][] = [];
  const listed = new Set<string>();
  for (const { spec } of entries) {
    const group = groupOf(spec);
    if (group === undefined) rows.push([`fairlead ${spec.name}`, spec.summary]);
    else if (!listed.has(group)) rows.push([`fairlead ${group}`, groupSummaries[group] ?? '']);
    if (group !== undefined) listed.add(group);
  }
  return `Fairlead delivers what is in Git to Kubernetes.\n\n${columns(rows)}\nExit codes: 0 success, 1 error, 2 difference, 3 degraded, 4 timeout, 130 stopped with Ctrl-C.\n`;
}

export function groupPage(group: string): string {
  const rows = entries
    .filter(({ spec }) => spec.name.startsWith(`${group} `))
    .map(({ spec }): [string, string] => [usage(spec), spec.summary]);
  return `${columns(rows)}\nfairlead help ${group} COMMAND shows the flags and examples of a command.\n`;
}

export const usage = ({ name, args }: CommandSpec): string => `fairlead ${name}${args ? ` ${args}` : ''}`;

export function page(spec: CommandSpec): string {
  const flags = flagRows(spec.flags);
  const codes = Object.entries(spec.codes ?? {});
  return [
    `${usage(spec)}${flags.length > 0 ? ' [flags]' : ''}\n`,
    `${spec.about}\n`,
    ...(flags.length > 0 ? [columns(flags)] : []),
    ...(codes.length > 0
      ? [`Exit codes: 0 success, 1 error${codes.map(([code, meaning]) => `, ${code} ${meaning}`).join('')}.\n`]
      : []),
    spec.examples.map((line) => `  $ fairlead ${line}\n`).join(''),
  ].join('\n');
}

/** Each flag as it is typed, and its help. */
export const flagRows = (flags: CommandSpec['flags']): [string, string][] =>
  Object.entries(flags).map(([name, flag]) => [typed(name, flag), helpText(flag)]);

function typed(name: string, { short, value, choices }: Flag): string {
  const shown = choices ? ` ${choices.join('|')}` : value ? ` ${value}` : '';
  return `${short ? `-${short}, ` : ''}--${name}${shown}`;
}

const helpText = ({ type, help }: Flag): string => (type === 'list' ? `${help} (repeatable)` : help);

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length > width ? `  ${left}\n  ${' '.repeat(width)}   ${right}\n` : `  ${left.padEnd(width)}   ${right}\n`,
    )
    .join('');
}

/** The help page of a command or of a group, or the overview. */
export function pageFor(words: readonly string[]): string | undefined {
  if (words.length === 0) return overview();
  const name = words.join(' ');
  const entry = entries.find(({ spec }) => spec.name === name || spec.aliases?.includes(name));
  if (entry) return page(entry.spec);
  return groups.includes(name) || subgroups.includes(name) ? groupPage(name) : undefined;
}
