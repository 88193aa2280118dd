import type { Agent, Application } from '@fairlead/api';

/** Whether the Applications of an agent are those whose destination names it, wherever they are. */
export const isMappedByDestination = ({ spec }: Agent): boolean =>
  spec.mode === 'managed' && spec.mapping === 'destination';

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
  if (home && !isMappedByDestination(home)) return home;
  const agent = agentNamed(spec.destination?.name ?? '');
  return agent && isMappedByDestination(agent) ? agent : undefined;
}
