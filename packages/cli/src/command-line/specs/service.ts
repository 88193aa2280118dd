import { defineCommand } from '../command.ts';
import { clusterFlags, logFlags, roleNamespaceFlag } from './shared-flags.ts';

export const service = defineCommand({
  name: 'service',
  role: true,
  args: '[PART]',
  count: [0, 1],
  summary: 'run the multi-tenant service on a cluster',
  about: `Turns GitOpsDeployments of tenants into Applications and reports their status back, with the PostgreSQL database of DATABASE_URL. PART is backend (the
tenants' side; one replica is the leader) or agent (the Argo CD side; replicas share the work); both run by default. FAIRLEAD_KEY encrypts tenants' credentials in
the database; if it is not set, a key from a Secret in argocd does.`,
  flags: {
    'no-self-healing': { type: 'boolean', help: 'do not compare both sides periodically' },
    'refuse-hosts': {
      type: 'string',
      value: 'KINDS',
      help: 'address ranges that tenants’ repositories and clusters must not use: loopback, link-local, private, cluster, or none; loopback,link-local by default',
    },
    'allow-networks': {
      type: 'string',
      value: 'NETWORKS',
      help: 'non-public addresses that tenants’ repositories may be on: loopback, link-local, private, 10.1.0.0/16, or *; none by default',
    },
    'cache-dir': {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'folder for repository checks; fairlead-cache in the temporary folder by default',
    },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    host: { type: 'string', value: 'ADDRESS', help: 'address of the metrics port; 127.0.0.1 by default' },
    ...logFlags,
    ...roleNamespaceFlag,
    ...clusterFlags,
  },
  examples: ['service --kubeconfig ~/.kube/config', 'service backend --metrics-port 8083', 'service agent'],
});

export const tenantList = defineCommand({
  name: 'tenant list',
  aliases: ['tenant ls'],
  count: [0, 0],
  summary: 'list tenants, their resources and problems',
  about:
    'Every namespace with GitOpsDeployments: the number of resources of each kind, how many are Synced and Healthy, and how many report a problem.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json', 'name'],
      help: 'output format; table by default',
    },
    ...clusterFlags,
  },
  examples: ['tenant list', 'tenant list -o json'],
});

export const doctor = defineCommand({
  name: 'doctor',
  count: [0, 0],
  summary: 'check the settings, and that resources, database and Applications agree',
  about: `Lists settings of Argo CD that are set and have no effect or are invalid, as fairlead settings validate does. With --audit, also compares every resource of every
tenant with the rows of the database and with the Applications, and lists every disagreement. Changes nothing. The database is that of DATABASE_URL, or that of the instance that runs on
the data folder.`,
  flags: {
    audit: { type: 'boolean', help: 'compare the data of the multi-tenant service, row by row' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json'],
      help: 'output format; table by default',
    },
    ...clusterFlags,
  },
  codes: { 3: 'problems or disagreements found' },
  examples: ['doctor', 'doctor --audit', 'doctor --audit --data-dir .fairlead -o json'],
});
