import { defineCommand, type Flags } from '../command.ts';
import { clusterFlags, timeoutFlag } from './shared-flags.ts';

const namespace = {
  type: 'string',
  short: 'n',
  value: 'NS',
  completes: 'namespace',
  help: 'argocd when absent',
} as const;
const hub = { namespace, ...clusterFlags } as const satisfies Flags;
const statusPort = {
  type: 'string',
  value: 'N',
  help: 'where /metrics, /healthz and /readyz are served; nowhere when absent',
} as const;

const outboxDir = {
  type: 'string',
  value: 'DIR',
  completes: 'folder',
  help: 'where it writes down what is still to be told, for the next start; without it, that is found by comparing',
} as const;

const applicationNamespaces = (whose: string) =>
  ({
    type: 'list',
    value: 'PATTERNS',
    help: `further namespaces ${whose}, as * or /regular expression/, with commas between them`,
  }) as const;

export const principal = defineCommand({
  name: 'principal',
  count: [0, 0],
  summary: 'run the principal: the hub that agents of other clusters dial in to',
  about: `Serves agents on a port, with certificates of its own authority, which it makes on its first start and keeps in the cluster. Each agent has the
namespace of its name on this cluster: of a managed agent it holds what its cluster is to have, of an autonomous one what its cluster has. Managed agents
invited with --mapping destination have instead the Applications of the control plane's namespace, and of those in --application-namespaces, whose destination.name is
theirs; they stand in the same namespaces on the agent's cluster, where its own --application-namespaces let them.`,
  flags: {
    port: { type: 'string', value: 'N', help: 'where agents dial in; 8443' },
    host: { type: 'string', value: 'ADDRESS', help: 'the address to listen on; 0.0.0.0' },
    name: {
      type: 'list',
      value: 'NAME',
      help: 'names and addresses under which agents reach it; the first is told to agents. The name of this machine when absent',
    },
    'application-namespaces': applicationNamespaces('whose Applications go to the agent that their destination names'),
    'outbox-dir': outboxDir,
    'status-port': statusPort,
    ...hub,
  },
  examples: ['principal --name hub.example.com', 'principal --host 127.0.0.1 --port 0 --name 127.0.0.1'],
});

export const agentRun = defineCommand({
  name: 'agent run',
  count: [0, 0],
  summary: 'run the agent of this cluster',
  about: `Dials the principal that the cluster has joined, and keeps both in agreement. It needs no address of its own: nothing is opened on this side.`,
  flags: {
    principal: { type: 'string', value: 'HOST:PORT', help: 'dial here, and not where it was when the cluster joined' },
    'join-token-file': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'join with the token in this file, where the cluster has not joined yet',
    },
    'application-namespaces': applicationNamespaces(
      'in which a hub that maps by destination may have Applications here',
    ),
    'outbox-dir': outboxDir,
    'status-port': statusPort,
    ...hub,
  },
  examples: ['agent run', 'agent run --principal hub.example.com:8443'],
});

const mode = {
  type: 'string',
  value: 'MODE',
  choices: ['managed', 'autonomous'],
  help: 'who decides what there is: this hub, or the cluster; managed',
} as const;
const mapping = {
  type: 'string',
  value: 'BY',
  choices: ['namespace', 'destination'],
  help: 'which Applications a managed agent has: those in the namespace of its name, or those in the control plane’s whose destination names it; namespace',
} as const;

export const agentInvite = defineCommand({
  name: 'agent invite',
  args: 'NAME',
  count: [1, 1],
  summary: 'let a cluster join this hub under a name, once',
  about: `Prints a token with which one cluster may join as this agent, within the time given. Inviting it again makes the last token void.`,
  flags: {
    mode,
    mapping,
    'valid-for': { type: 'string', value: 'TIME', help: 'how long the token is good; 1h' },
    quiet: { type: 'boolean', short: 'q', help: 'print the token alone' },
    ...hub,
  },
  examples: ['agent invite edge-1', 'agent invite site-7 --mode autonomous --valid-for 24h'],
});

export const agentInstall = defineCommand({
  name: 'agent install',
  args: 'NAME',
  count: [1, 1],
  summary: 'print what a cluster needs to run an agent of this hub',
  about: `Run on the hub. Invites the agent, and prints manifests for its cluster: a namespace, a service account with no more rights than its work needs, the token
with which it joins once, and the Deployment of the agent. kubectl apply takes them. The token is a secret: so is what is printed, until the agent has joined.`,
  flags: {
    image: { type: 'string', value: 'IMAGE', help: 'an image with fairlead in it' },
    mode,
    mapping,
    'valid-for': { type: 'string', value: 'TIME', help: 'how long the token is good; 1h' },
    'agent-namespace': { type: 'string', value: 'NS', help: 'the namespace on the agent’s cluster; argocd' },
    'application-namespaces': applicationNamespaces('in which the agent may have Applications'),
    crds: {
      type: 'boolean',
      help: 'print the definitions of Applications and AppProjects too, for a cluster without Argo CD',
    },
    'no-live': { type: 'boolean', help: 'without the right to be looked at through the agent' },
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
  summary: 'make this cluster join a hub',
  about: `Run on the cluster that is to join, with the token from fairlead agent invite; - reads it from standard input. The private key is made here and
does not leave the cluster; the certificate is kept in its secret fairlead-agent.`,
  flags: { ...hub },
  examples: ['agent join fairlead-eyJhZ2VudCI6…', 'agent join -'],
});

export const agentList = defineCommand({
  name: 'agent list',
  aliases: ['agents'],
  count: [0, 0],
  summary: 'the agents of this hub, with three lights each',
  about: `Transport: whether a stream is open. Data: whether both sides were found equal lately. Live: whether its cluster can be looked at through it.`,
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['table', 'json', 'name'],
      help: 'how: table when absent',
    },
    ...hub,
  },
  examples: ['agent list', 'agent list -o json'],
});

const one = { args: 'NAME', count: [1, 1] } as const;

export const agentStatus = defineCommand({
  ...one,
  name: 'agent status',
  summary: 'one agent: its lights, its certificate, and what it cannot take',
  about: 'Says what is wrong, if anything is, and what to do about it.',
  flags: { ...hub },
  examples: ['agent status edge-1'],
  codes: { 3: 'a light is not as it should be' },
});

export const agentConfirm = defineCommand({
  name: 'agent confirm',
  args: 'NAME [TOKEN]',
  count: [1, 2],
  summary: 'let deletions through that were held',
  about: `More than 10 deletions of more than a fifth of an agent's Applications at once are held until a person confirms them. The token stands for this very
set: when it has changed since, nothing is confirmed. Without TOKEN, shows how many are held.`,
  flags: { ...hub },
  examples: ['agent confirm edge-1', 'agent confirm edge-1 mZ0x81kQpL2a'],
});

export const agentDrain = defineCommand({
  ...one,
  name: 'agent drain',
  summary: 'send an agent nothing more; what it has stays and runs on',
  about: 'Ends its stream and opens no other until --undo. Nothing is deleted on its cluster.',
  flags: { undo: { type: 'boolean', help: 'let it in again' }, ...hub },
  examples: ['agent drain edge-1', 'agent drain edge-1 --undo'],
});

export const agentRotate = defineCommand({
  ...one,
  name: 'agent rotate',
  summary: 'give an agent a new certificate now',
  about: `Certificates are renewed by themselves after two thirds of their time. This does it at once; the stream stays open. With --block-old the old one is
put on the blocklist as soon as the new one is there.`,
  flags: {
    'block-old': { type: 'boolean', help: 'the old certificate is not believed any more' },
    ...timeoutFlag,
    ...hub,
  },
  examples: ['agent rotate edge-1', 'agent rotate edge-1 --block-old'],
  codes: { 4: 'no new certificate in time' },
});

export const agentBlock = defineCommand({
  ...one,
  name: 'agent block',
  summary: 'end an agent’s streams and let it open no other',
  about: 'Holds for the agent, whatever certificate it shows. With --certificate, for one certificate alone.',
  flags: {
    undo: { type: 'boolean', help: 'take the block away' },
    certificate: { type: 'string', value: 'SHA256', help: 'the fingerprint of one certificate' },
    ...hub,
  },
  examples: ['agent block edge-1', 'agent block edge-1 --undo', 'agent block edge-1 --certificate 5f0c…'],
});

export const agentGet = defineCommand({
  name: 'agent get',
  args: 'NAME PATH',
  count: [2, 2],
  summary: 'look at the cluster of an agent, through it',
  about: `Reads a path of the Kubernetes API of its cluster, by the principal of this hub. Looking is all that is allowed, and Secrets are not shown.`,
  flags: { principal: { type: 'string', value: 'URL', help: 'where the principal serves its status port' }, ...hub },
  examples: [
    'agent get edge-1 /api/v1/namespaces/shop/pods',
    'agent get edge-1 /api/v1/namespaces/shop/pods/web-0/log?tailLines=20',
  ],
});
