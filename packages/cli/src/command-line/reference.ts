import type { CommandSpec, Flag } from './command.ts';
import { usage } from './help.ts';
import { entries } from './table.ts';

const head = `# The fairlead command

Made by \`npm run reference\` from the table that parsing, help and completion are made from; a test keeps it in step.

## Which cluster

Commands that speak to a cluster find it like this, the first that is there:

1. \`--kubeconfig FILE\`, with \`--context NAME\` for one of its contexts
2. \`--data-dir DIR\`: what \`fairlead up --data-dir DIR\` runs
3. the files of \`$KUBECONFIG\`
4. what \`fairlead up\` runs on \`.fairlead\` in this folder or one above it, or on \`$FAIRLEAD_DATA_DIR\`
5. \`~/.kube/config\`, or inside a pod its service account

Applications are looked for in namespace \`argocd\`; \`-n NS\`, or \`NS/NAME\`, names another.

## Exit codes

| code | |
|---|---|
| 0 | well |
| 1 | an error: one sentence on standard error says what, and what to do |
| 2 | a difference |
| 3 | Degraded |
| 4 | not in time |

On a terminal, progress is drawn in place, in colours unless \`NO_COLOR\` is set; elsewhere it is plain lines. \`-o json\` and \`-o yaml\` leave
standard output to the data.
`;

/** All commands with their flags, as a page of documentation. */
export const reference = (): string =>
  `${head}\n## Commands\n\n${entries.map(({ spec }) => `- [\`fairlead ${spec.name}\`](#${anchor(spec)}): ${spec.summary}`).join('\n')}\n\n${entries.map(({ spec }) => section(spec)).join('\n')}`;

const anchor = ({ name }: CommandSpec): string => `fairlead-${name.replaceAll(' ', '-')}`;

function section(spec: CommandSpec): string {
  const flags = Object.entries(spec.flags);
  const codes = Object.entries(spec.codes ?? {});
  return [
    `### fairlead ${spec.name}\n`,
    `    ${usage(spec)}${flags.length > 0 ? ' [flags]' : ''}\n`,
    `${spec.about}\n`,
    ...(spec.aliases ? [`Also: ${spec.aliases.map((name) => `\`fairlead ${name}\``).join(', ')}.\n`] : []),
    ...(flags.length > 0 ? ['| flag | |\n|---|---|', ...flags.map(([name, flag]) => flagRow(name, flag)), ''] : []),
    ...(codes.length > 0
      ? [`Exit codes beside 0 and 1: ${codes.map(([code, says]) => `${code} ${says}`).join('; ')}.\n`]
      : []),
    `${spec.examples.map((line) => `    $ fairlead ${line}`).join('\n')}\n`,
  ].join('\n');
}

function flagRow(name: string, { short, value, choices, help, type, aliases = [] }: Flag): string {
  const shown = choices ? ` ${choices.join('\\|')}` : value ? ` ${value}` : '';
  const also = aliases.length > 0 ? `; also ${aliases.map((alias) => `\`--${alias}\``).join(', ')}` : '';
  const several = type === 'list' ? '; several times' : '';
  return `| \`${short ? `-${short}, ` : ''}--${name}${shown}\` | ${help.replaceAll('|', '\\|')}${several}${also} |`;
}

if (import.meta.main) process.stdout.write(reference());
