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
