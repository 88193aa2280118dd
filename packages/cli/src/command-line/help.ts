import type { CommandSpec, Flag } from './command.ts';
import { entries, groups } from './table.ts';

const groupSummaries: Readonly<Record<string, string>> = {
  agent: 'clusters that dial in: invite, join, status, drain, rotate, block and more',
  app: 'one Application: create, sync, wait, diff, explain, roll back and more',
  demo: 'push an image to the demo registry of fairlead up',
  image: 'the image updater: run it, explain what it chooses, try a rule on a registry',
  prepull: 'images on nodes before they are needed: list, pull now, run the controller',
  tenant: 'tenants of the multi-tenant service, and what is wrong with them',
};

const groupOf = ({ name }: CommandSpec): string | undefined => (name.includes(' ') ? name.split(' ')[0] : undefined);

/** All commands on a page; a group is one line. */
export function overview(): string {
  const rows: [string, string][] = [];
  const told = new Set<string>();
  for (const { spec } of entries) {
    const group = groupOf(spec);
    if (group === undefined) rows.push([`fairlead ${spec.name}`, spec.summary]);
    else if (!told.has(group)) rows.push([`fairlead ${group}`, groupSummaries[group] ?? '']);
    if (group !== undefined) told.add(group);
  }
  return `Fairlead delivers what is in Git to Kubernetes.\n\n${columns(rows)}\nExit codes: 0 well, 1 an error, 2 a difference, 3 degraded, 4 not in time.\n`;
}

export function groupPage(group: string): string {
  const rows = entries
    .filter(({ spec }) => groupOf(spec) === group)
    .map(({ spec }): [string, string] => [usage(spec), spec.summary]);
  return `${columns(rows)}\nfairlead help ${group} COMMAND has the flags and examples of each.\n`;
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
      ? [`Exit codes: 0 well, 1 an error${codes.map(([code, says]) => `, ${code} ${says}`).join('')}.\n`]
      : []),
    spec.examples.map((line) => `  $ fairlead ${line}\n`).join(''),
  ].join('\n');
}

/** Each flag as it is typed, and what it does. */
export const flagRows = (flags: CommandSpec['flags']): [string, string][] =>
  Object.entries(flags).map(([name, flag]) => [typed(name, flag), told(flag)]);

function typed(name: string, { short, value, choices }: Flag): string {
  const shown = choices ? ` ${choices.join('|')}` : value ? ` ${value}` : '';
  return `${short ? `-${short}, ` : ''}--${name}${shown}`;
}

const told = ({ type, help }: Flag): string => (type === 'list' ? `${help} (several)` : help);

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length > width ? `  ${left}\n  ${' '.repeat(width)}   ${right}\n` : `  ${left.padEnd(width)}   ${right}\n`,
    )
    .join('');
}

/** The page that the words name: of a command, of a group, or of all. */
export function pageFor(words: readonly string[]): string | undefined {
  if (words.length === 0) return overview();
  const name = words.join(' ');
  const entry = entries.find(({ spec }) => spec.name === name || spec.aliases?.includes(name));
  if (entry) return page(entry.spec);
  return groups.includes(name) ? groupPage(name) : undefined;
}
