import { defineCommand } from '../command.ts';
import { clusterFlags } from './shared-flags.ts';

export const settingsValidate = defineCommand({
  name: 'settings validate',
  count: [0, 0],
  summary: 'check the settings of Argo CD for keys without effect and invalid values',
  about: `Compares ConfigMaps argocd-*-cm, Secret argocd-secret and the Secrets of repositories and clusters with the table of settings: unknown keys, keys that are not supported, with
the reason, and invalid values. Keys with another meaning than in Argo CD are listed too, and are no problem. A key that is not supported is left out if its value is the default of Argo CD. Reads files, or the
cluster. The exit code is 1 if there are problems.`,
  flags: {
    file: {
      type: 'list',
      short: 'f',
      value: 'FILE',
      completes: 'file',
      help: 'check the ConfigMaps and Secrets of this file instead; - for standard input',
    },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NS',
      completes: 'namespace',
      help: 'namespace of the settings; argocd by default',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json'],
      help: 'output format; table by default',
    },
    ...clusterFlags,
  },
  codes: { 1: 'problems found' },
  examples: [
    'settings validate',
    'settings validate -f argocd-cm.yaml -f argocd-cmd-params-cm.yaml',
    'settings validate -n argocd -o json',
  ],
});
