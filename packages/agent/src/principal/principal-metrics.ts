import type { MetricsRegistry } from '@fairlead/kube';
import { metricDefinitions } from '../metric-definitions.ts';
import type { AgentStream } from './agent-stream.ts';
import type { PrincipalLinks } from './principal-links.ts';

export function principalMetrics(
  registry: MetricsRegistry,
  streams: () => readonly AgentStream[],
  links: PrincipalLinks,
): void {
  const { agentsConnected, pending, applications, quarantined, deletionsHeld, overflows } =
    registry.create(metricDefinitions);
  registry.onRead(() => {
    agentsConnected.set({}, streams().length);
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
}
