import { appProjectKind } from '@fairlead/api';
import { elementAt, namespaceType } from '@fairlead/apimachinery';
import { syncOptionChoices } from '@fairlead/engine';
import { listAll, sleep, systemClock } from '@fairlead/kube';
import { findApplication, keyFrom, listApplications } from '../applications/selection/find-application.ts';
import type { ObjectClient } from '../backend/backend.ts';
import { type BackendFlags, withBackend } from '../backend/with-backend.ts';
import type { Environment } from '../environment.ts';
import { controlPlaneNamespace } from '../install.ts';
import type { CommandSpec, Completes, Flag } from './command.ts';
import { groupSummaries } from './help.ts';
import { entries, findEntry, groups, subgroups } from './table.ts';

/** Completions of the last word, which is being typed. Never fails: the shell calls it between keystrokes. */
export async function complete(words: readonly string[], environment: Environment): Promise<string[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = findEntry(before);
  const candidates = found
    ? await inCommand(found.entry.spec, before.slice(found.length), typed, environment).catch(() => [])
    : commandWords(before);
  return candidates.filter((line) => line.startsWith(typed) || line.startsWith(':'));
}

/** First words of commands, or the commands of a group. */
function commandWords(before: readonly string[]): string[] {
  const [word] = before;
  const group = before.join(' ');
  if (word !== undefined && (groups.includes(group) || subgroups.includes(group))) return wordsAfter(group);
  if (before.length > 0) return [];
  const single = entries.flatMap(({ spec }) => (spec.name.includes(' ') ? [] : [`${spec.name}\t${spec.summary}`]));
  return [...single, ...groups.map((group) => `${group}\t${groupSummaries[group] ?? ''}`)];
}

/** The next word of the commands of a group. Commands of a subgroup are one word. */
function wordsAfter(group: string): string[] {
  const lines = new Map<string, string>();
  for (const { spec } of entries) {
    if (!spec.name.startsWith(`${group} `)) continue;
    const [word = '', further] = spec.name.slice(group.length + 1).split(' ');
    lines.set(word, further === undefined ? `${word}\t${spec.summary}` : word);
  }
  return [...lines.values()];
}

async function inCommand(
  spec: CommandSpec,
  given: readonly string[],
  typed: string,
  environment: Environment,
): Promise<string[]> {
  const awaiting = flagOf(spec, given.at(-1) ?? '');
  if (awaiting && awaiting.type !== 'boolean')
    return valuesOf(awaiting.choices, awaiting.completes, spec, given, environment);
  if (typed.startsWith('-'))
    return [
      ...Object.entries(spec.flags).map(([name, flag]) => `--${name}\t${flag.help}`),
      '--help\thelp of this command',
    ];
  return valuesOf(undefined, spec.completes, spec, given, environment);
}

function flagOf({ flags }: CommandSpec, word: string): Flag | undefined {
  if (/^--[^=]+$/u.test(word)) return flags[word.slice(2)];
  return /^-[a-zA-Z]$/u.test(word) ? Object.values(flags).find(({ short }) => short === word[1]) : undefined;
}

async function valuesOf(
  choices: readonly string[] | undefined,
  completes: Completes | undefined,
  spec: CommandSpec,
  given: readonly string[],
  environment: Environment,
): Promise<string[]> {
  if (choices) return [...choices];
  const positionals = argumentsIn(spec, given);
  switch (completes) {
    case 'file':
    case 'folder':
      return [`:${completes}`];
    case 'shell':
      return ['bash', 'zsh', 'fish'];
    case 'sync-option':
      return syncOptionChoices.map(({ option, description }) => `${option}\t${description}`);
    case 'command':
      return commandWords(positionals);
    case 'get-kind':
      if (positionals.length === 0) return ['apps', 'projects', 'clusters', 'repos'];
      return /^app/u.test(elementAt(positionals, 0)) ? fromCluster(given, environment, applicationNames(given)) : [];
    case 'app':
      if (positionals.length >= 1 && spec.name === 'app rollback')
        return fromCluster(given, environment, async (client) => {
          const application = await findApplication(
            client,
            keyFrom(elementAt(positionals, 0), flagValue(given, 'namespace', 'n')),
          );
          return (application.status?.history ?? []).map(({ id, deployedAt }) => `${id}\t${deployedAt}`);
        });
      return positionals.length >= spec.count[1] ? [] : fromCluster(given, environment, applicationNames(given));
    case 'project':
      return fromCluster(given, environment, async (client) =>
        (await listAll(client, appProjectKind.type, { namespace: controlPlaneNamespace })).items.map(
          ({ metadata }) => metadata.name,
        ),
      );
    case 'namespace':
      return fromCluster(given, environment, async (client) =>
        (await listAll(client, namespaceType)).items.map(({ metadata }) => metadata.name),
      );
    default:
      return [];
  }
}

const applicationNames = (given: readonly string[]) => async (client: ObjectClient) =>
  (await listApplications(client, { namespace: flagValue(given, 'namespace', 'n') ?? controlPlaneNamespace })).map(
    ({ metadata, status }) =>
      `${metadata.name}\t${status?.sync?.status ?? ''} ${status?.health?.status ?? ''}`.trimEnd(),
  );

function argumentsIn(spec: CommandSpec, given: readonly string[]): string[] {
  return given.filter((word, i) => {
    const before = flagOf(spec, given[i - 1] ?? '');
    return !word.startsWith('-') && (!before || before.type === 'boolean');
  });
}

function flagValue(given: readonly string[], name: string, short?: string): string | undefined {
  const at = given.findIndex((word) => word === `--${name}` || (short !== undefined && word === `-${short}`));
  return at < 0 ? given.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) : given[at + 1];
}

/** A slow cluster must not delay the shell. */
async function fromCluster(
  given: readonly string[],
  environment: Environment,
  read: (client: ObjectClient) => Promise<string[]>,
): Promise<string[]> {
  const names = ['kubeconfig', 'context', 'data-dir', 'server', 'server-context', 'auth-token', 'server-crt'] as const;
  const flags: BackendFlags = {
    ...Object.fromEntries(
      names.flatMap((name) => {
        const value = flagValue(given, name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(given.includes('--insecure') ? { insecure: true } : {}),
    ...(given.includes('--plaintext') ? { plaintext: true } : {}),
  };
  const answered = new AbortController();
  const slow = sleep(systemClock, 3_000, answered.signal).then(() => []);
  return Promise.race([withBackend({ flags, environment }, ({ client }) => read(client)), slow]).finally(() =>
    answered.abort(),
  );
}
