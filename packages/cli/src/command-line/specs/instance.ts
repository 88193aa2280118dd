import { defineCommand } from '../command.ts';

const dataDir = {
  type: 'string',
  value: 'DIR',
  completes: 'folder',
  help: 'where everything is kept; .fairlead in the current folder, or $FAIRLEAD_DATA_DIR',
} as const;

export const up = defineCommand({
  name: 'up',
  count: [0, 0],
  summary: 'start everything on this machine: a Kubernetes API, a demo repository, Applications',
  about: `Starts an embedded Kubernetes API with simulated nodes, the application controller, and a demo Git repository, all in this process and
on loopback only. Stops on Ctrl-C. A second start goes on where the last one ended.`,
  flags: {
    'data-dir': dataDir,
    port: { type: 'string', value: 'N', help: 'port of the Kubernetes API; the one of the last start, or a free one' },
    kubeconfig: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'use the cluster of this file, and start no embedded one',
    },
    fleet: { type: 'string', value: 'N', help: 'also make N small Applications, label fleet=demo' },
  },
  examples: ['up', 'up --data-dir /tmp/try --port 6443', 'up --fleet 500'],
});

export const down = defineCommand({
  name: 'down',
  count: [0, 0],
  summary: 'stop what up has started',
  about: 'Stops the instance that runs on a data folder, and waits until it has ended. What it keeps stays.',
  flags: { 'data-dir': dataDir },
  examples: ['down', 'down --data-dir /tmp/try'],
});

export const version = defineCommand({
  name: 'version',
  count: [0, 0],
  summary: 'which version this is',
  about: 'Prints the version of Fairlead and of the Node that runs it.',
  flags: {},
  examples: ['version'],
});

export const help = defineCommand({
  name: 'help',
  args: '[COMMAND]',
  count: [0, 3],
  summary: 'this page; fairlead help COMMAND for one command',
  about: 'Lists all commands, those of a group, or shows the page of one. COMMAND --help does the same.',
  flags: {},
  completes: 'command',
  examples: ['help', 'help app', 'help app sync'],
});

export const completion = defineCommand({
  name: 'completion',
  args: 'bash|zsh|fish',
  count: [1, 1],
  summary: 'completion of commands, flags and names for a shell',
  about: `Prints a script for the shell. Commands and flags come from this program itself, names of Applications from the cluster.

  bash   source <(fairlead completion bash)          in ~/.bashrc
  zsh    source <(fairlead completion zsh)           in ~/.zshrc, after compinit
  fish   fairlead completion fish | source           in ~/.config/fish/config.fish`,
  flags: {},
  completes: 'shell',
  examples: ['completion bash'],
});
