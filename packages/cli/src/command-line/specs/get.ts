import { defineCommand } from '../command.ts';
import { applicationFlags, clusterFlags, customForms, listFlags, selectorFlag } from './shared-flags.ts';

export const outputForms = ['table', 'wide', 'json', 'yaml', 'name', 'tree', ...customForms] as const;

export const get = defineCommand({
  name: 'get',
  args: 'KIND [NAME…]',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'list Applications, tenants’ deployments, projects, clusters or repositories',
  about: `KIND is apps, deployments (of tenants), projects, clusters or repos. Applications are listed with their status and the reason of each problem. A single
Application is shown with its objects. Secret fields are never shown.`,
  flags: {
    ...selectorFlag,
    watch: { type: 'boolean', short: 'w', help: 'watch for changes; with -o json, one JSON object per line' },
    status: {
      type: 'string',
      value: 'LIST',
      help: 'only Applications with one of these statuses: OutOfSync,Degraded,Syncing,…',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: outputForms,
      help: 'output format; table by default',
    },
    ...listFlags,
    'all-namespaces': { type: 'boolean', short: 'A', help: 'in all namespaces' },
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
    'get apps --sort-by .metadata.creationTimestamp --no-headers',
    'get apps -o custom-columns=NAME:.metadata.name,REVISION:.status.sync.revision',
    "get apps -o jsonpath='{.items[*].metadata.name}'",
  ],
});

export const appList = defineCommand({
  name: 'app list',
  aliases: ['app ls'],
  args: '[NAME…]',
  count: [0, Number.POSITIVE_INFINITY],
  summary: 'list Applications; the same as get apps',
  about: 'Applications with their status and the reason of each problem.',
  flags: get.flags,
  completes: 'app',
  examples: ['app list', 'app list -l team=shop'],
});

export const trace = defineCommand({
  name: 'trace',
  args: 'KIND/NAME',
  count: [1, 1],
  summary: 'find the Application and the commit of a live object',
  about: `Follows the owner references of an object up to one that an Application manages, and shows that Application, its repository, path and revision, and
its status.`,
  flags: {
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NS',
      completes: 'namespace',
      help: 'namespace of the object; all namespaces by default',
    },
    ...clusterFlags,
  },
  examples: ['trace pod/web-5d8c7b-x2x9k', 'trace deployment/web -n demo', 'trace certificates.cert-manager.io/shop'],
});
