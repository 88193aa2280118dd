import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Agent, agentKind } from '@fairlead/api';
import {
  type ConfigMap,
  configMapType,
  find,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Secret,
  secretType,
} from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { Mapping, Mode } from '../core/kinds.ts';
import { agentNameProblem } from './agent-name.ts';

/** The ConfigMap with the address of a running principal. */
export const addressName = 'fairlead-principal';
const secretName = (agent: string): string => `fairlead-join-${agent}`;
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Everything that a cluster needs to join, in one string. */
export interface Invitation {
  readonly agent: string;
  readonly mode: Mode;
  readonly address: string;
  readonly ca: string;
  readonly secret: string;
}

export const encodeInvitation = (invitation: Invitation): string =>
  `fairlead-${Buffer.from(JSON.stringify(invitation)).toString('base64url')}`;

export function decodeInvitation(text: string): Invitation {
  try {
    const parsed = JSON.parse(
      Buffer.from(text.trim().replace(/^fairlead-/u, ''), 'base64url').toString(),
    ) as Partial<Invitation>;
    const { agent, mode, address, ca, secret } = parsed;
    if (agent && (mode === 'managed' || mode === 'autonomous') && address && ca && secret)
      return { agent, mode, address, ca, secret };
  } catch {
    // Reported below.
  }
  throw new Error('invalid join token: it must be the output of fairlead agent invite, which starts with fairlead-');
}

/** Creates an Agent on the hub, and a token with which one cluster may join as this agent, once, within the given time. */
export async function invite(
  client: ApiClient,
  namespace: string,
  {
    agent,
    mode,
    mapping,
    minutes = 60,
    now = Date.now(),
  }: { agent: string; mode: Mode; mapping?: Mapping; minutes?: number; now?: number },
): Promise<Invitation> {
  const problem = await agentNameProblem(client, agent, namespace);
  if (problem !== undefined) throw new Error(problem);
  const place = await readAddress(client, namespace);
  const made: Agent = {
    apiVersion: 'fairlead.dev/v1alpha1',
    kind: 'Agent',
    metadata: { name: agent, namespace },
    spec: { mode, ...(mapping ? { mapping } : {}) },
  };
  await client.create(agentKind.type, made).catch(async (error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
    const known = await client.get<Agent>(agentKind.type, { namespace, name: agent });
    if (known.spec.mode !== mode) throw new Error(`agent ${agent} already exists with mode ${known.spec.mode}`);
    if (mapping && (known.spec.mapping ?? 'namespace') !== mapping)
      await client.patch(agentKind.type, { namespace, name: agent }, 'merge', { spec: { mapping } });
  });
  const secret = randomBytes(24).toString('base64url');
  const kept: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName(agent), namespace },
    type: 'Opaque',
    data: {
      digest: digest(secret).toString('base64'),
      expires: Buffer.from(new Date(now + minutes * 60_000).toISOString()).toString('base64'),
    },
  };
  await find(client.delete(secretType, { namespace, name: secretName(agent) }));
  await client.create(secretType, kept);
  return { agent, mode, ...place, secret };
}

async function readAddress(client: ApiClient, namespace: string): Promise<{ address: string; ca: string }> {
  const map = await find(client.get<ConfigMap>(configMapType, { namespace, name: addressName }));
  const { address, ca } = map?.data ?? {};
  if (address && ca) return { address, ca };
  throw new Error('there is no principal on this hub: start one with fairlead principal');
}

export async function writeAddress(client: ApiClient, namespace: string, address: string, ca: string): Promise<void> {
  const map: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: addressName, namespace },
    data: { address, ca },
  };
  await client.create(configMapType, map).catch(async (error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(configMapType, { namespace, name: addressName }, 'merge', { data: map.data });
  });
}

/** Deletes the invitation, so that it is used once. Returns the reason if it is invalid. */
export async function redeem(
  client: ApiClient,
  namespace: string,
  agent: string,
  secret: string,
  now: number,
): Promise<string | undefined> {
  try {
    const kept = await client.get<Secret>(secretType, { namespace, name: secretName(agent) });
    const text = (name: string): Buffer => Buffer.from(kept.data?.[name] ?? '', 'base64');
    const given = digest(secret);
    const desired = text('digest');
    if (desired.length !== given.length || !timingSafeEqual(desired, given))
      return 'the join token is not the one of the last invitation';
    if (Date.parse(text('expires').toString()) <= now) return 'the join token has expired: invite the agent again';
    const { uid, resourceVersion } = kept.metadata;
    await client.delete(
      secretType,
      { namespace, name: secretName(agent) },
      { preconditions: { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) } },
    );
    return undefined;
  } catch (error) {
    if (isNotFound(error) || isConflict(error))
      return 'the join token has been used, or there is no invitation for this agent';
    throw error;
  }
}
