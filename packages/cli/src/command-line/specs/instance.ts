import { defineCommand } from '../command.ts';
import { pluginFlags } from './shared-flags.ts';

const dataDir = {
  type: 'string',
  value: 'DIR',
  completes: 'folder',
  help: 'data folder; $FAIRLEAD_DATA_DIR or .fairlead by default',
} as const;

export const up = defineCommand({
  name: 'up',
  count: [0, 0],
  summary: 'start everything on this machine: a Kubernetes API, a demo repository, Applications',
  about: `Starts an embedded Kubernetes API with simulated nodes, all controllers, and a demo Git repository, in one process and on loopback only. Ctrl-C stops
it. The next start continues with the same data.`,
  flags: {
    'data-dir': dataDir,
    port: {
      type: 'string',
      value: 'N',
      help: 'port of the Kubernetes API; by default that of the last start, or a free one',
    },
    kubeconfig: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'use this cluster instead of an embedded one',
    },
    ...pluginFlags,
    'no-agents': { type: 'boolean', help: 'do not start the two clusters with agents' },
    fleet: {
      type: 'string',
      value: 'N',
      help: 'also create N small Applications with label fleet=demo; those after the first 200 have a recorded status and are not reconciled',
    },
  },
  examples: ['up', 'up --data-dir /tmp/try --port 6443', 'up --fleet 500'],
});

export const down = defineCommand({
  name: 'down',
  count: [0, 0],
  summary: 'stop fairlead up',
  about: 'Stops the instance that runs on a data folder and waits until it has stopped. The data folder is kept.',
  flags: { 'data-dir': dataDir },
  examples: ['down', 'down --data-dir /tmp/try'],
});

export const version = defineCommand({
  name: 'version',
  count: [0, 0],
  summary: 'print the version',
  about: 'Prints the versions of Fairlead and of Node.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json', 'yaml'],
      help: 'output format; text by default',
    },
  },
  examples: ['version', 'version -o json'],
});

export const help = defineCommand({
  name: 'help',
  args: '[COMMAND]',
  count: [0, 3],
  summary: 'show this page; fairlead help COMMAND for one command',
  about: 'Lists all commands or those of a group, or shows the help of one command. COMMAND --help does the same.',
  flags: {},
  completes: 'command',
  examples: ['help', 'help app', 'help app sync'],
});

export const completion = defineCommand({
  name: 'completion',
  args: 'bash|zsh|fish',
  count: [1, 1],
  summary: 'print shell completion for bash, zsh or fish',
  about: `Prints a completion script for the shell. It completes commands and flags, and names of Applications from the cluster.

  bash   source <(fairlead completion bash)          in ~/.bashrc
  zsh    source <(fairlead completion zsh)           in ~/.zshrc, after compinit
  fish   fairlead completion fish | source           in ~/.config/fish/config.fish`,
  flags: {},
  completes: 'shell',
  examples: ['completion bash'],
});
