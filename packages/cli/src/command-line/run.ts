import { CliError } from '../cli-error.ts';
import { didYouMean } from '../did-you-mean.ts';
import { type Environment, logLevels } from '../environment.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { exitCodes } from './command.ts';
import { pageFor } from './help.ts';
import { parseCommand } from './parse.ts';
import { entries, findEntry, groups, subgroups } from './table.ts';

/** Other words for groups, as users of argocd, flux and kubectl type them. */
const groupAliases: ReadonlyMap<string, string> = new Map([
  ['accounts', 'account'],
  ['application', 'app'],
  ['applications', 'app'],
  ['apps', 'app'],
  ['appsets', 'appset'],
  ['certs', 'cert'],
  ['clusters', 'cluster'],
  ['proj', 'project'],
  ['projects', 'project'],
  ['repos', 'repo'],
]);

/** Runs the command that the words name, and returns its exit code. */
export async function runCommandLine(
  words: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  const [first = 'help'] = words;
  if (first === '__complete') {
    const { complete } = await import('./complete.ts');
    terminal.write((await complete(words.slice(1), environment)).map((line) => `${line}\n`).join(''));
    return 0;
  }
  if (first === '--version' || first === '-v') return runCommandLine(['version'], environment, terminal);
  const group = groupAliases.get(first);
  if (group !== undefined && !findEntry(words))
    return runCommandLine([group, ...words.slice(1)], environment, terminal);
  const found = findEntry(words);
  const before = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (before.includes('--help') || before.includes('-h')) {
    const named = found ? words.slice(0, found.length) : groups.includes(first) ? [first] : [];
    terminal.write(pageFor(named) ?? '');
    return 0;
  }
  if (!found) return notFound(words, terminal);
  const { entry, length } = found;
  const given = words.slice(length);
  if (entry.reads === 'itself') return (await entry.load()).run(given, environment);
  const call = parseCommand(entry.spec, given, environment.processes);
  const runEnvironment = entry.spec.role ? withLogging(environment, call.flags) : environment;
  const code = await (await entry.load()).run({ ...call, environment: runEnvironment, terminal });
  // A role that is stopped has done what it was asked for.
  return code === exitCodes.ok && !entry.spec.role && terminal.stopped().aborted ? exitCodes.interrupted : code;
}

/** The environment with the flags of a role for its log. */
export function withLogging(environment: Environment, flags: Readonly<Record<string, unknown>>): Environment {
  const level = logLevels.find((known) => known === flags['log-level']);
  const format = flags['log-format'];
  return {
    ...environment,
    ...(level === undefined ? {} : { logLevel: level }),
    ...(format === undefined ? {} : { logFormat: format === 'json' ? 'json' : 'plain' }),
  };
}

function notFound(words: readonly string[], terminal: Terminal): number {
  const [first = 'help', second] = words;
  if (second === undefined || second.startsWith('-')) {
    const text = pageFor(words.length === 0 ? [] : [first]);
    if (text !== undefined) {
      terminal.write(text);
      return 0;
    }
  }
  const subgroup = subgroups.find((name) => name === `${first} ${second}`);
  if (subgroup !== undefined) {
    const [, , third = ''] = words;
    if (third === '' || third.startsWith('-')) {
      terminal.write(pageFor([subgroup]) ?? '');
      return 0;
    }
    const names = entries.flatMap(({ spec }) =>
      spec.name.startsWith(`${subgroup} `) ? [spec.name.slice(subgroup.length + 1)] : [],
    );
    throw new CliError(
      `unknown command ${subgroup} ${third}${didYouMean(third, names, `${subgroup} `)}: see fairlead help ${subgroup}`,
    );
  }
  const inGroup = groups.includes(first);
  const known = entries.flatMap(({ spec }) => {
    const [one = '', two] = spec.name.split(' ');
    return inGroup ? (one === first && two ? [two] : []) : [one];
  });
  const wrong = inGroup ? (second ?? '') : first;
  const asked = inGroup ? `${first} ${wrong}` : wrong;
  throw new CliError(
    `unknown command ${asked}${didYouMean(wrong, [...new Set(known)], inGroup ? `${first} ` : '')}: see fairlead help${inGroup ? ` ${first}` : ''}`,
  );
}
