import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { elementAt, must } from '@fairlead/apimachinery/primitives';
import { CliError } from '../cli-error.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { CommandSpec, Flag, Flags, Values } from './command.ts';
import { withVariables } from './flag-variables.ts';

/** Parses flags and arguments of one call; flags of a role that are not given come from environment variables. A CliError names the problem and the closest known flag. */
export function parseCommand<F extends Flags>(
  spec: CommandSpec<F>,
  given: readonly string[],
  variables: Readonly<Record<string, string | undefined>> = {},
): { readonly flags: Values<F>; readonly args: readonly string[] } {
  const help = `see fairlead help ${spec.name}`;
  const names = spellings(spec.flags);
  const options: Record<string, ParseArgsOptionDescriptor> = {};
  for (const [spelling, { name, flag }] of names) {
    const { type, short } = flag;
    options[spelling] = {
      type: type === 'boolean' ? 'boolean' : 'string',
      multiple: type === 'list',
      ...(short && spelling === name ? { short } : {}),
    };
  }
  const { values, positionals } = ((): ReturnType<typeof parseArgs> => {
    try {
      return parseArgs({
        args: given.map((word) => spelledOut(word, spec.flags)),
        options,
        allowPositionals: true,
        allowNegative: true,
      });
    } catch (error) {
      throw new CliError(`${parseProblem(error as NodeJS.ErrnoException, [...names.keys()])}: ${help}`);
    }
  })();
  checkCount(spec, positionals, help);
  const flags: Record<string, unknown> = {};
  for (const [spelling, parsed] of Object.entries(values)) {
    // The parser reads `--no-x` as x=false, also if the flag is called no-x.
    const isNegative = !names.has(spelling);
    const { name, flag } = must(names.get(isNegative ? `no-${spelling}` : spelling), `flag ${spelling}`);
    const value = isNegative ? !parsed : parsed;
    const { choices } = flag;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (choices && typeof one === 'string' && !isChoice(choices, one))
        throw new CliError(`invalid --${spelling} ${one}: use one of ${choices.join(', ')}`);
    }
    const before = flags[name];
    flags[name] = Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value;
  }
  const all = spec.role ? withVariables(spec.flags, flags, variables) : flags;
  return { flags: all as Values<F>, args: positionals };
}

/** A choice that ends with `=` has a text after it: `jsonpath={.items}`. */
const isChoice = (choices: readonly string[], value: string): boolean =>
  choices.some((one) => (one.endsWith('=') ? value.startsWith(one) && value !== one : value === one));

function spellings(flags: Flags): Map<string, { readonly name: string; readonly flag: Flag }> {
  return new Map(
    Object.entries(flags).flatMap(([name, flag]) =>
      [name, ...(flag.aliases ?? [])].map((spelling) => [spelling, { name, flag }]),
    ),
  );
}

/** Argo CD's command line accepts `--prune=false`. */
function spelledOut(word: string, flags: Flags): string {
  const [, name = '', value] = /^--([^=]+)=(true|false)$/u.exec(word) ?? [];
  if (flags[name]?.type !== 'boolean') return word;
  return value === 'true' ? `--${name}` : `--no-${name}`;
}

function parseProblem(error: NodeJS.ErrnoException, known: readonly string[]): string {
  const flag = /'(-[^' ]*)/u.exec(error.message)?.[1] ?? '';
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return `unknown flag ${flag}${didYouMean(flag.replace(/^-+/u, ''), known, '--')}`;
  }
  const long = /--[\w-]+/u.exec(error.message)?.[0] ?? flag;
  return /does not take an argument/u.test(error.message)
    ? `${long} takes no value`
    : /argument missing|ambiguous/u.test(error.message)
      ? `${long} needs a value`
      : elementAt(error.message.split('. '), 0);
}

function checkCount(
  { name, args = '', count: [least, most] }: CommandSpec,
  given: readonly string[],
  help: string,
): void {
  const usage = `fairlead ${name}${args ? ` ${args}` : ''}`;
  if (given.length < least) throw new CliError(`missing argument, usage: ${usage}; ${help}`);
  if (given.length > most) throw new CliError(`unexpected argument ${given[most]}, usage: ${usage}; ${help}`);
}
