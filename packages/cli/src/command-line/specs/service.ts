import { defineCommand } from '../command.ts';
import { clusterFlags } from './shared-flags.ts';

export const service = defineCommand({
  name: 'service',
  args: '[PART]',
  count: [0, 1],
  summary: 'run the multi-tenant service on a cluster',
  about: `Turns GitOpsDeployments of tenants into Applications, by way of the PostgreSQL that DATABASE_URL names, and brings their status back. PART is
backend (the tenants' side; of several one leads) or agent (the engine's side; several share the work); both run when it is absent. FAIRLEAD_KEY
protects tenants' credentials in the database; a Secret in argocd does when it is not set.`,
  flags: {
    'no-self-healing': { type: 'boolean', help: 'do not compare both sides at intervals' },
    'refuse-hosts': {
      type: 'string',
      value: 'KINDS',
      help: 'where tenants’ repositories and clusters may not be: any of loopback, link-local, private and cluster, or none; loopback,link-local when absent',
    },
    'cache-dir': {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'where repositories are tried; fairlead-cache in the folder for temporary files',
    },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    ...clusterFlags,
  },
  examples: ['service --kubeconfig ~/.kube/config', 'service backend --metrics-port 8083', 'service agent'],
});

export const tenantList = defineCommand({
  name: 'tenant list',
  aliases: ['tenant ls'],
  count: [0, 0],
  summary: 'tenants with what they have, and what is wrong',
  about:
    'Every namespace with GitOpsDeployments: how many there are of each kind, how many are Synced and Healthy, and how many say that something is wrong.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['table', 'json', 'name'],
      help: 'how: table when absent',
    },
    ...clusterFlags,
  },
  examples: ['tenant list', 'tenant list -o json'],
});

export const doctor = defineCommand({
  name: 'doctor',
  count: [0, 0],
  summary: 'whether the multi-tenant service’s resources, rows and Applications agree',
  about: `With --audit, compares every resource of every tenant with the rows of the database and the objects of the engine, and tells of every
disagreement. Nothing is changed. The database is the one that DATABASE_URL names, or that of the instance that runs on the data folder.`,
  flags: {
    audit: { type: 'boolean', help: 'compare all, row by row' },
    output: { type: 'string', short: 'o', value: 'FORM', choices: ['table', 'json'], help: 'how: table when absent' },
    ...clusterFlags,
  },
  codes: { 0: 'all agree', 3: 'some do not, and are listed' },
  examples: ['doctor --audit', 'doctor --audit --data-dir .fairlead -o json'],
});
