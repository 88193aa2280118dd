import { defineCommand } from '../command.ts';
import { clusterFlags, yesFlag } from './shared-flags.ts';

const namespace = {
  type: 'string',
  short: 'n',
  value: 'NS',
  completes: 'namespace',
  help: 'namespace of the installation; argocd by default',
} as const;
const overwrite = {
  type: 'boolean',
  help: 'give existing objects the state of the file; they are kept by default',
} as const;
const dryRun = { type: 'boolean', help: 'print what would change, and change nothing' } as const;

export const exportCommand = defineCommand({
  name: 'export',
  count: [0, 0],
  summary: 'write a backup of an installation',
  about: `Writes Applications, ApplicationSets, projects, all other resources of Fairlead and the settings as YAML, for fairlead import and argocd admin import. Secrets are left out unless
they are asked for; encrypted ones need a passphrase in $FAIRLEAD_PASSPHRASE. What was deployed is not part of a backup.`,
  flags: {
    namespace,
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      completes: 'file',
      help: 'file to write; standard output by default',
    },
    secrets: {
      type: 'string',
      value: 'FORM',
      choices: ['encrypted', 'plain'],
      help: 'include Secrets of repositories, clusters and accounts, encrypted or as plain text',
    },
    ...clusterFlags,
  },
  examples: ['export -o backup.yaml', 'export --secrets encrypted -o backup.yaml'],
});

export const importCommand = defineCommand({
  name: 'import',
  args: 'FILE',
  count: [1, 1],
  summary: 'restore a backup of an installation',
  about: `Creates the objects of a file that fairlead export wrote. Nothing is deleted, no sync is started, and existing objects are kept. Settings and projects are created before
Applications, and ApplicationSets after them.`,
  flags: { namespace, overwrite, 'dry-run': dryRun, ...clusterFlags },
  examples: ['import backup.yaml --dry-run', 'import backup.yaml --overwrite'],
});

export const importArgocd = defineCommand({
  name: 'import argocd',
  args: '[FILE]',
  count: [0, 1],
  summary: 'take over from Argo CD',
  about: `With FILE, creates the objects of argocd admin export. Without it, takes over the cluster that Argo CD runs on: reports settings without effect, and scales the controllers of Argo CD to
zero, so that those of Fairlead work on the same Applications. Applications are not changed, so nothing is synced, pruned or restarted. fairlead uninstall starts the controllers of Argo CD again.`,
  flags: { namespace, overwrite, 'dry-run': dryRun, ...yesFlag, ...clusterFlags },
  examples: ['import argocd --dry-run', 'import argocd --yes', 'import argocd argocd-export.yaml'],
});
