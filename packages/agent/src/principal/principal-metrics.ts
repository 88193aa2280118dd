import type { MetricsRegistry } from '@fairlead/kube';
import type { AgentStream } from './agent-stream.ts';
import type { Hub } from './hub.ts';

/** Figures of the principal, looked up when someone reads them. */
export function principalMetrics(registry: MetricsRegistry, streams: () => readonly AgentStream[], hub: Hub): void {
  const connected = registry.gauge('fairlead_principal_agents_connected', 'Agents with an open stream.');
  const pending = registry.gauge('fairlead_link_pending', 'What is still to be told to an agent.', ['agent']);
  const applications = registry.gauge('fairlead_link_applications', 'Applications of an agent on the hub.', ['agent']);
  const quarantined = registry.gauge('fairlead_link_quarantined', 'What one side cannot take.', ['agent']);
  const held = registry.gauge('fairlead_link_deletions_held', 'Deletions that wait for a person.', ['agent']);
  const overflows = registry.gauge('fairlead_link_overflows', 'How often an outbox was full and all was compared.', [
    'agent',
  ]);
  registry.onRead(() => {
    connected.set({}, streams().length);
    for (const agent of hub.agents) {
      const report = hub.find(agent)!.report();
      pending.set({ agent }, report.pending);
      applications.set({ agent }, report.applications);
      quarantined.set({ agent }, report.quarantined.length + (report.remote?.quarantined.length ?? 0));
      held.set({ agent }, report.brake?.deletions ?? report.remote?.brake?.deletions ?? 0);
      overflows.set({ agent }, report.overflows);
    }
  });
}
