import type { Agent } from '@fairlead/api';
import type { Informer } from '@fairlead/kube';
import type { AgentSummary } from '../api/installation-shapes.ts';
import type { AgentChange, EventLog } from './event-log.ts';

/** Adds the changes of agents to the log. Returns a function that ends it. */
export function followAgents(
  log: EventLog,
  agents: Pick<Informer<Agent>, 'addHandler'>,
  summaryOf: (agent: Agent) => AgentSummary,
): () => void {
  const append = (type: AgentChange['type'], agent: Agent): void =>
    log.append({ kind: 'agent', type, agent: summaryOf(agent) });
  return agents.addHandler({
    onAdd: (agent, isInitial) => {
      if (!isInitial) append('ADDED', agent);
    },
    onUpdate: (old, agent) => {
      if (essence(summaryOf(old)) !== essence(summaryOf(agent))) append('MODIFIED', agent);
    },
    onDelete: (agent) => append('DELETED', agent),
  });
}

/** Agents report all the time that they are there: that alone is not an event, it would displace the changes of Applications. */
const essence = (summary: AgentSummary): string =>
  JSON.stringify({ ...summary, lastSeenTime: undefined, comparedAt: undefined });
