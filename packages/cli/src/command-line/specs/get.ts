import { defineCommand } from '../command.ts';
import { applicationFlags, clusterFlags, selectorFlag } from './shared-flags.ts';

export const outputForms = ['table', 'wide', 'json', 'yaml', 'name', 'tree'] as const;

export const get = defineCommand({
  name: 'get',
  args: 'KIND [NAME…]',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'Applications, tenants’ deployments, projects, clusters and repositories',
  about: `KIND is apps, deployments (of tenants), projects, clusters or repos. Applications are shown with their state and, where something is not well, why. One Application by
name is shown with its objects. Fields that hold secrets are not shown in any form.`,
  flags: {
    ...selectorFlag,
    watch: { type: 'boolean', short: 'w', help: 'go on and show what changes; with -o json one JSON object a line' },
    status: {
      type: 'string',
      value: 'LIST',
      help: 'only Applications in one of these states: OutOfSync,Degraded,Syncing,…',
    },
    output: { type: 'string', short: 'o', value: 'FORM', choices: outputForms, help: 'how: table when absent' },
    'all-namespaces': { type: 'boolean', short: 'A', help: 'of every namespace' },
    ...applicationFlags,
  },
  completes: 'get-kind',
  examples: [
    'get apps',
    'get deployments',
    'get apps -A --status OutOfSync,Degraded',
    'get apps -l team=shop -w',
    'get app web -o yaml',
    'get apps -w -o json | jq -r .object.status.health.status',
  ],
});

export const appList = defineCommand({
  name: 'app list',
  aliases: ['app ls'],
  args: '[NAME…]',
  count: [0, Number.POSITIVE_INFINITY],
  summary: 'the same as get apps',
  about: 'Applications with their state and, where something is not well, why.',
  flags: get.flags,
  completes: 'app',
  examples: ['app list', 'app list -l team=shop'],
});

export const trace = defineCommand({
  name: 'trace',
  args: 'KIND/NAME',
  count: [1, 1],
  summary: 'from a live object to its Application and the commit that it comes from',
  about: `Follows the owners of an object up to one that an Application delivers, and says which Application that is, from which repository, path and
revision, and how it fares.`,
  flags: {
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NS',
      completes: 'namespace',
      help: 'the namespace of the object; searched for in all when absent',
    },
    ...clusterFlags,
  },
  examples: ['trace pod/web-5d8c7b-x2x9k', 'trace deployment/web -n demo', 'trace certificates.cert-manager.io/shop'],
});
