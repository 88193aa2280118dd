import type { Agent, Application } from '@fairlead/api';

const isByDestination = ({ spec }: Agent): boolean => spec.mode === 'managed' && spec.mapping === 'destination';

/**
 * Whether another cluster's controller reconciles an Application: it is in the namespace of an agent or, if the agent's mapping is
 * by destination, its destination is the agent.
 */
export function isElsewhere(
  { metadata, spec }: Application,
  controlPlane: string,
  agentOf: (name: string) => Agent | undefined,
): boolean {
  const home = metadata.namespace === controlPlane ? undefined : agentOf(metadata.namespace ?? '');
  if (home && !isByDestination(home)) return true;
  const agent = agentOf(spec.destination?.name ?? '');
  return agent !== undefined && isByDestination(agent);
}
