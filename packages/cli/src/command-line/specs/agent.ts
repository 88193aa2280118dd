import { defineCommand, type Flags } from '../command.ts';
import { clusterFlags, logFlags, timeoutFlag } from './shared-flags.ts';

const namespace = {
  type: 'string',
  short: 'n',
  value: 'NS',
  completes: 'namespace',
  help: 'defaults to argocd',
} as const;
const hub = { namespace, ...clusterFlags } as const satisfies Flags;
const statusPort = {
  type: 'string',
  value: 'N',
  help: 'serve /metrics, /healthz and /readyz on this port; off by default',
} as const;

const statusHost = {
  type: 'string',
  value: 'ADDRESS',
  help: 'address of the status port; 127.0.0.1 by default',
} as const;

const outboxDir = {
  type: 'string',
  value: 'DIR',
  completes: 'folder',
  help: 'persist unsent events in this folder across restarts; without it, a resync after the restart finds them',
} as const;

const applicationNamespaces = (whose: string) =>
  ({
    type: 'list',
    value: 'PATTERNS',
    help: `additional namespaces ${whose}: comma-separated globs or /regular expressions/`,
  }) as const;

export const principal = defineCommand({
  name: 'principal',
  role: true,
  count: [0, 0],
  summary: 'run the principal: the hub process that agents of other clusters connect to',
  about: `Serves agents with certificates of an internal certificate authority, which is created on the first start and stored in the cluster. Each agent has a
namespace of the same name on this cluster. For a managed agent it holds the Applications to deploy there; for an autonomous agent, the Applications found there.
Managed agents invited with --mapping destination receive the Applications of the control plane's namespace and of --application-namespaces whose
destination.name is the agent. They keep their namespace on the agent's cluster, if the agent's own --application-namespaces allow it.`,
  flags: {
    port: { type: 'string', value: 'N', help: 'port for agents; 8443 by default' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on; 0.0.0.0 by default' },
    name: {
      type: 'list',
      value: 'NAME',
      help: 'name or address at which agents reach the principal; the first is part of invitations. Defaults to the name of this machine',
    },
    'application-namespaces': applicationNamespaces(
      'whose Applications are sent to the agent that their destination names',
    ),
    'outbox-dir': outboxDir,
    'status-port': statusPort,
    'status-host': statusHost,
    ...logFlags,
    ...hub,
  },
  examples: ['principal --name hub.example.com', 'principal --host 127.0.0.1 --port 0 --name 127.0.0.1'],
});

const liveAccess = {
  type: 'string',
  value: 'LEVEL',
  choices: ['none', 'read', 'write', 'exec'],
  help: 'what users of the hub may do in this cluster through the agent: nothing; read objects and logs; also patch, delete and run actions; also open terminals. read by default',
} as const;

export const agentRun = defineCommand({
  name: 'agent run',
  role: true,
  count: [0, 0],
  summary: 'run the agent of this cluster',
  about: `Connects to the principal that the cluster has joined and keeps both sides in sync. The agent opens no port for it: all connections are outgoing.
On a cluster with the Secrets of argocd-agent (argocd-agent-client-tls, argocd-agent-ca) it uses that identity, and the mode and principal in ConfigMap argocd-agent-params.`,
  flags: {
    principal: {
      type: 'string',
      value: 'HOST:PORT',
      help: 'connect to this address instead of the one from the invitation',
    },
    mode: {
      type: 'string',
      value: 'MODE',
      choices: ['managed', 'autonomous'],
      help: 'mode of an agent with the Secrets of argocd-agent; agent.mode of ConfigMap argocd-agent-params by default',
    },
    'join-token-file': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'join with the token in this file if the cluster has not joined yet',
    },
    'application-namespaces': applicationNamespaces('in which a hub that maps by destination may create Applications'),
    'peer-version': {
      type: 'string',
      value: 'VERSION',
      help: 'announce this version to the principal; by default the own one, and to a principal of argocd-agent its version, because it accepts no other',
    },
    'live-access': liveAccess,
    'live-secrets': {
      type: 'boolean',
      help: 'also show Secrets to the hub, whose server masks their values; hidden by default',
    },
    'outbox-dir': outboxDir,
    'status-port': statusPort,
    'status-host': statusHost,
    ...logFlags,
    ...hub,
  },
  examples: ['agent run', 'agent run --principal hub.example.com:8443'],
});

const mode = {
  type: 'string',
  value: 'MODE',
  choices: ['managed', 'autonomous'],
  help: 'where Applications are managed: on this hub, or on the agent’s cluster; managed by default',
} as const;
const mapping = {
  type: 'string',
  value: 'BY',
  choices: ['namespace', 'destination'],
  help: 'Applications of a managed agent: those in the namespace of its name, or those whose destination names it; namespace by default',
} as const;

export const agentInvite = defineCommand({
  name: 'agent invite',
  args: 'NAME',
  count: [1, 1],
  summary: 'create a token with which one cluster joins this hub',
  about: `Prints a token with which one cluster may join as this agent until the token expires. A new invitation invalidates the previous token.`,
  flags: {
    mode,
    mapping,
    'valid-for': { type: 'string', value: 'TIME', help: 'validity of the token; 1h by default' },
    quiet: { type: 'boolean', short: 'q', help: 'print only the token' },
    ...hub,
  },
  examples: ['agent invite edge-1', 'agent invite site-7 --mode autonomous --valid-for 24h'],
});

export const agentInstall = defineCommand({
  name: 'agent install',
  args: 'NAME',
  count: [1, 1],
  summary: 'print the manifests that run an agent on another cluster',
  about: `Run on the hub. Invites the agent and prints manifests for kubectl apply on its cluster: a namespace, a service account with the least rights that it needs, the
join token, and the Deployment of the agent. Keep the output secret until the agent has joined: it contains the token.`,
  flags: {
    image: { type: 'string', value: 'IMAGE', help: 'image that contains fairlead' },
    mode,
    mapping,
    'valid-for': { type: 'string', value: 'TIME', help: 'validity of the token; 1h by default' },
    'agent-namespace': { type: 'string', value: 'NS', help: 'namespace on the agent’s cluster; argocd by default' },
    'application-namespaces': applicationNamespaces('in which the agent may create Applications'),
    crds: {
      type: 'boolean',
      help: 'also print the CRDs of Applications and AppProjects, for a cluster without Argo CD',
    },
    'live-access': liveAccess,
    'no-live': { type: 'boolean', help: 'same as --live-access none' },
    ...hub,
  },
  examples: [
    'agent install edge-1 --image registry.example.com/fairlead:1.0 | kubectl --context edge-1 apply -f -',
    'agent install site-7 --mode autonomous --image registry.example.com/fairlead:1.0 --crds',
  ],
});

export const agentJoin = defineCommand({
  name: 'agent join',
  args: 'TOKEN',
  count: [1, 1],
  summary: 'join this cluster to a hub',
  about: `Run on the cluster that joins, with the token from fairlead agent invite; - reads it from standard input. The private key is created here and never
leaves the cluster; the certificate is stored in its Secret fairlead-agent.`,
  flags: { ...hub },
  examples: ['agent join fairlead-eyJhZ2VudCI6…', 'agent join -'],
});

export const agentList = defineCommand({
  name: 'agent list',
  aliases: ['agents'],
  count: [0, 0],
  summary: 'list the agents of this hub with their status',
  about: `Transport: whether a stream is open. Data: whether the last comparison found both sides equal. Live: whether live access to its cluster works.`,
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json', 'name'],
      help: 'output format; table by default',
    },
    ...hub,
  },
  examples: ['agent list', 'agent list -o json'],
});

const one = { args: 'NAME', count: [1, 1] } as const;

export const agentStatus = defineCommand({
  ...one,
  name: 'agent status',
  summary: 'show one agent: connection status, certificate, rejected objects',
  about: 'Shows each problem with what to do about it.',
  flags: { ...hub },
  examples: ['agent status edge-1'],
  codes: { 3: 'a check failed' },
});

export const agentConfirm = defineCommand({
  name: 'agent confirm',
  args: 'NAME [TOKEN]',
  count: [1, 2],
  summary: 'confirm deletions that are held back',
  about: `If more than 10 Applications, and more than a fifth of an agent's Applications, would be deleted at once, the deletions are held until a person confirms them.
The token identifies exactly this set: if the set has changed, nothing is confirmed. Without TOKEN, shows how many deletions are held.`,
  flags: { ...hub },
  examples: ['agent confirm edge-1', 'agent confirm edge-1 mZ0x81kQpL2a'],
});

export const agentDrain = defineCommand({
  ...one,
  name: 'agent drain',
  summary: 'stop sending to an agent; its workloads keep running',
  about: 'Closes its stream and refuses new ones until --undo. Nothing is deleted on its cluster.',
  flags: { undo: { type: 'boolean', help: 'accept the agent again' }, ...hub },
  examples: ['agent drain edge-1', 'agent drain edge-1 --undo'],
});

export const agentRotate = defineCommand({
  ...one,
  name: 'agent rotate',
  summary: 'renew the certificate of an agent now',
  about: `Certificates are renewed automatically after two thirds of their lifetime. This renews one at once; the stream stays open. With --block-old the old certificate is
blocked as soon as the new one is issued.`,
  flags: {
    'block-old': { type: 'boolean', help: 'reject the old certificate from now on' },
    ...timeoutFlag,
    ...hub,
  },
  examples: ['agent rotate edge-1', 'agent rotate edge-1 --block-old'],
  codes: { 4: 'timeout: no new certificate' },
});

export const agentBlock = defineCommand({
  ...one,
  name: 'agent block',
  summary: 'close an agent’s streams and refuse new ones',
  about: 'Applies to the agent with any certificate. With --certificate, applies to that certificate only.',
  flags: {
    undo: { type: 'boolean', help: 'remove the block' },
    certificate: { type: 'string', value: 'SHA256', help: 'fingerprint of one certificate' },
    ...hub,
  },
  examples: ['agent block edge-1', 'agent block edge-1 --undo', 'agent block edge-1 --certificate 5f0c…'],
});

export const agentGet = defineCommand({
  name: 'agent get',
  args: 'NAME PATH',
  count: [2, 2],
  summary: 'read from the cluster of an agent',
  about: `Reads a path of the Kubernetes API of its cluster, through the principal of this hub. Access is read-only, and Secrets are not returned.`,
  flags: { principal: { type: 'string', value: 'URL', help: 'URL of the principal’s status port' }, ...hub },
  examples: [
    'agent get edge-1 /api/v1/namespaces/shop/pods',
    'agent get edge-1 /api/v1/namespaces/shop/pods/web-0/log?tailLines=20',
  ],
});
