import { X509Certificate } from 'node:crypto';
import { type ConfigMap, configMapType, find, textAt } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { readSecretValues } from '../cluster/opaque-secret.ts';
import { readMode } from '../core/kinds.ts';
import type { AgentIdentity } from './identity.ts';

/** The objects on an agent's cluster as `argocd-agentctl` and the manifests of argocd-agent create them. */
export const argocdAgentNames = {
  clientSecret: 'argocd-agent-client-tls',
  caSecret: 'argocd-agent-ca',
  parameters: 'argocd-agent-params',
} as const;

export interface ArgocdAgentSettings {
  /** In place of the address in argocd-agent's parameters. */
  readonly address?: string;
  readonly mode?: string;
}

/**
 * The identity of a cluster on which argocd-agent was set up: its certificate is in Secrets, its mode and the address of its principal are
 * in a ConfigMap. Returns undefined if the cluster has no such Secrets; throws if a part is missing.
 */
export async function readArgocdAgentIdentity(
  client: ApiClient,
  namespace: string,
  settings: ArgocdAgentSettings = {},
): Promise<AgentIdentity | undefined> {
  const { clientSecret, caSecret, parameters } = argocdAgentNames;
  const [own, authority] = await Promise.all([
    readSecretValues(client, namespace, clientSecret),
    readSecretValues(client, namespace, caSecret),
  ]);
  if (!own || !authority) return undefined;
  const read = await find(client.get<ConfigMap>(configMapType, { namespace, name: parameters }));
  const parameter = (name: string): string => read?.data?.[`agent.${name}`] ?? '';
  const [cert, key] = [own('tls.crt'), own('tls.key')];
  const ca = authority('ca.crt') || authority('tls.crt');
  const host = parameter('server.address');
  const mode = settings.mode ?? parameter('mode');
  const address = settings.address ?? (host && `${host}:${parameter('server.port') || '443'}`);
  const problem = problemOf({
    [`${clientSecret}: tls.crt`]: cert,
    [`${clientSecret}: tls.key`]: key,
    [`${caSecret}: ca.crt`]: ca,
  });
  if (problem !== undefined) throw new Error(`Secret ${namespace}/${problem} is missing`);
  if (address === '')
    throw new Error(missingParameter('the address of the principal', 'agent.server.address', '--principal'));
  if (mode === '') throw new Error(missingParameter('the mode of the agent', 'agent.mode', '--mode'));
  return { agent: nameIn(cert), mode: readMode(mode), address, ca, cert, key };
}

const problemOf = (values: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(values).find((name) => values[name] === '');

const missingParameter = (what: string, parameter: string, flag: string): string =>
  `${what} is unknown: ConfigMap ${argocdAgentNames.parameters} has no ${parameter}. Set it with ${flag}`;

/** The name of an agent is the common name of its certificate. */
function nameIn(cert: string): string {
  const name = textAt(new X509Certificate(cert).toLegacyObject().subject, 'CN');
  if (name === '') throw new Error(`the certificate in Secret ${argocdAgentNames.clientSecret} has no common name`);
  return name;
}
