import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { closest } from '@fairlead/api';
import { CliError } from '../cli-error.ts';
import type { CommandSpec, Flags, Values } from './command.ts';

/** The flags and arguments of one call. What is wrong is told in one sentence, with the nearest thing that is right. */
export function parseCommand<F extends Flags>(
  spec: CommandSpec<F>,
  given: readonly string[],
): { readonly flags: Values<F>; readonly args: readonly string[] } {
  const help = `see fairlead help ${spec.name}`;
  const names = spellings(spec.flags);
  const options: Record<string, ParseArgsOptionDescriptor> = {};
  for (const [spelling, name] of names) {
    const { type, short } = spec.flags[name]!;
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
      throw new CliError(`${wrong(error as NodeJS.ErrnoException, [...names.keys()])}: ${help}`);
    }
  })();
  checkCount(spec, positionals, help);
  const flags: Record<string, unknown> = {};
  for (const [spelling, value] of Object.entries(values)) {
    const name = names.get(spelling)!;
    const { choices } = spec.flags[name]!;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (choices && typeof one === 'string' && !choices.includes(one))
        throw new CliError(`--${spelling} ${one} is not known: ${choices.join(', ')}`);
    }
    flags[name] = Array.isArray(value) && Array.isArray(flags[name]) ? [...(flags[name] as []), ...value] : value;
  }
  return { flags: flags as Values<F>, args: positionals };
}

function spellings(flags: Flags): Map<string, string> {
  return new Map(
    Object.entries(flags).flatMap(([name, { aliases = [] }]) => [name, ...aliases].map((spelling) => [spelling, name])),
  );
}

/** `--prune=false` is what people type who come from elsewhere. */
function spelledOut(word: string, flags: Flags): string {
  const match = /^--([^=]+)=(true|false)$/u.exec(word);
  if (!match || flags[match[1]!]?.type !== 'boolean') return word;
  return match[2] === 'true' ? `--${match[1]}` : `--no-${match[1]}`;
}

function wrong(error: NodeJS.ErrnoException, known: readonly string[]): string {
  const flag = /'(-[^' ]*)/u.exec(error.message)?.[1] ?? '';
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = closest(flag.replace(/^-+/u, ''), known);
    return `there is no flag ${flag}${near ? `, perhaps --${near} is meant` : ''}`;
  }
  const long = /--[\w-]+/u.exec(error.message)?.[0] ?? flag;
  return /does not take an argument/u.test(error.message)
    ? `${long} takes no value`
    : /argument missing|ambiguous/u.test(error.message)
      ? `${long} needs a value`
      : error.message.split('. ')[0]!;
}

function checkCount(
  { name, args = '', count: [least, most] }: CommandSpec,
  given: readonly string[],
  help: string,
): void {
  const usage = `fairlead ${name}${args ? ` ${args}` : ''}`;
  if (given.length < least) throw new CliError(`something is missing, it is ${usage}: ${help}`);
  if (given.length > most) throw new CliError(`${given[most]} is too much, it is ${usage}: ${help}`);
}
