import { defineMetrics } from '@fairlead/kube';

const perAgent = ['agent'] as const;

/** The metrics of the principal and of the agent. */
export const metricDefinitions = defineMetrics({
  agentsConnected: {
    name: 'fairlead_principal_agents_connected',
    type: 'gauge',
    help: 'Agents with an open stream.',
  },
  pending: {
    name: 'fairlead_link_pending',
    type: 'gauge',
    labels: perAgent,
    help: 'Changes not yet sent to an agent.',
  },
  applications: {
    name: 'fairlead_link_applications',
    type: 'gauge',
    labels: perAgent,
    help: 'Applications of an agent on the hub.',
  },
  quarantined: {
    name: 'fairlead_link_quarantined',
    type: 'gauge',
    labels: perAgent,
    help: 'Objects that one side cannot accept.',
  },
  deletionsHeld: {
    name: 'fairlead_link_deletions_held',
    type: 'gauge',
    labels: perAgent,
    help: 'Deletions that wait for confirmation.',
  },
  overflows: {
    name: 'fairlead_link_overflows',
    type: 'gauge',
    labels: perAgent,
    help: 'How often an outbox was full and a full resync followed.',
  },
  connected: { name: 'fairlead_agent_connected', type: 'gauge', help: 'Whether a stream to the principal is open.' },
  agentPending: { name: 'fairlead_agent_pending', type: 'gauge', help: 'Changes not yet sent to the principal.' },
  dials: { name: 'fairlead_agent_dials', type: 'gauge', help: 'Attempts to connect to the principal.' },
});

const perAgentName = ['agent_name'] as const;

/** The metrics of a principal under argocd-agent's names, for its dashboards and alerts. */
export const argocdPrincipalMetrics = defineMetrics({
  connectedAgents: {
    name: 'argocd_principal_connected_agents',
    type: 'gauge',
    help: 'Agents with an open stream, under the name of argocd-agent.',
  },
  connections: {
    name: 'argocd_principal_agent_connections_total',
    type: 'counter',
    labels: perAgentName,
    help: 'Streams that an agent has opened, under the name of argocd-agent.',
  },
  received: {
    name: 'principal_events_received',
    type: 'counter',
    help: 'Events from agents, under the name of argocd-agent.',
  },
  sent: { name: 'principal_events_sent', type: 'counter', help: 'Events to agents, under the name of argocd-agent.' },
});

/** The metrics of an agent under argocd-agent's names. */
export const argocdAgentMetrics = defineMetrics({
  connectionStatus: {
    name: 'argocd_agent_connection_status',
    type: 'gauge',
    help: 'Whether a stream to the principal is open, under the name of argocd-agent.',
  },
  connectionStart: {
    name: 'argocd_agent_connection_start_timestamp_seconds',
    type: 'gauge',
    help: 'When the present stream to the principal was opened, under the name of argocd-agent.',
  },
  connections: {
    name: 'argocd_agent_connections_total',
    type: 'counter',
    help: 'Streams to the principal that were opened, under the name of argocd-agent.',
  },
  received: {
    name: 'agent_events_received',
    type: 'counter',
    help: 'Events from the principal, under the name of argocd-agent.',
  },
  sent: {
    name: 'agent_events_sent',
    type: 'counter',
    help: 'Events to the principal, under the name of argocd-agent.',
  },
});
