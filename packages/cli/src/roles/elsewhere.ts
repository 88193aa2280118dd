import type { Agent, Application } from '@fairlead/api';

/**
 * Whether an Application is the business of another cluster's controller: it is in the namespace of an agent or, where an agent's
 * mapping is by destination, in the control plane's and names the agent.
 */
export function isElsewhere(
  { metadata, spec }: Application,
  controlPlane: string,
  agentOf: (name: string) => Agent | undefined,
): boolean {
  if (metadata.namespace === controlPlane) {
    const agent = agentOf(spec.destination?.name ?? '');
    return agent?.spec.mode === 'managed' && agent.spec.mapping === 'destination';
  }
  const agent = agentOf(metadata.namespace ?? '');
  return agent !== undefined && (agent.spec.mode !== 'managed' || agent.spec.mapping !== 'destination');
}
