import type { Agent, Application } from '@fairlead/api';

const isByDestination = ({ spec }: Agent): boolean => spec.mode === 'managed' && spec.mapping === 'destination';

/**
 * The agent whose cluster reconciles an Application: it is in the namespace of the agent or, if the agent's mapping is by destination,
 * its destination is the agent. Undefined if the controller of this cluster reconciles it.
 */
export function agentOfApplication(
  { metadata, spec }: Application,
  controlPlane: string,
  agentNamed: (name: string) => Agent | undefined,
): Agent | undefined {
  const home = metadata.namespace === controlPlane ? undefined : agentNamed(metadata.namespace ?? '');
  if (home && !isByDestination(home)) return home;
  const agent = agentNamed(spec.destination?.name ?? '');
  return agent && isByDestination(agent) ? agent : undefined;
}
