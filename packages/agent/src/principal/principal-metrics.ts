import type { MetricsRegistry } from '@fairlead/kube';
import { argocdPrincipalMetrics, metricDefinitions } from '../metric-definitions.ts';
import type { AgentStream } from './agent-stream.ts';
import type { PrincipalLinks } from './principal-links.ts';

/** What is counted when it happens; everything else is read. */
export interface PrincipalMetrics {
  connected(agent: string): void;
  traffic(direction: 'received' | 'sent'): void;
}

export function principalMetrics(
  registry: MetricsRegistry,
  streams: () => readonly AgentStream[],
  links: PrincipalLinks,
): PrincipalMetrics {
  const { agentsConnected, pending, applications, quarantined, deletionsHeld, overflows } =
    registry.create(metricDefinitions);
  const { connectedAgents, connections, received, sent } = registry.create(argocdPrincipalMetrics);
  registry.onRead(() => {
    agentsConnected.set({}, streams().length);
    connectedAgents.set({}, streams().length);
    for (const agent of links.agents) {
      const report = links.find(agent)?.report();
      if (!report) continue;
      pending.set({ agent }, report.pending);
      applications.set({ agent }, report.applications);
      quarantined.set({ agent }, report.quarantined.length + (report.remote?.quarantined.length ?? 0));
      deletionsHeld.set({ agent }, report.brake?.deletions ?? report.remote?.brake?.deletions ?? 0);
      overflows.set({ agent }, report.overflows);
    }
  });
  return {
    connected: (agent) => connections.increase({ agent_name: agent }),
    traffic: (direction) => (direction === 'sent' ? sent : received).increase({}),
  };
}
