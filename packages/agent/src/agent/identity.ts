import { generateKeyPair, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { isAlreadyExists, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { Mode } from '../core/kinds.ts';
import type { Invitation } from '../principal/invitations.ts';
import { GrpcClient } from '../wire/grpc-client.ts';
import { ProtoWriter, readStrings } from '../wire/protobuf.ts';

const secretType: ResourceType = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
const namespaceType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
type Secret = KubeObject & { type?: string; data?: Record<string, string> };

export const identitySecret = 'fairlead-agent';

/** With what an agent proves its name, and where it dials. */
export interface AgentIdentity {
  readonly agent: string;
  readonly mode: Mode;
  readonly address: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const fields = ['agent', 'mode', 'address', 'ca', 'cert', 'key'] as const;

/** The identity in a cluster's secret; undefined when it has not joined. */
export async function readIdentity(client: ApiClient, namespace: string): Promise<AgentIdentity | undefined> {
  try {
    const { data = {} } = await client.get<Secret>(secretType, { namespace, name: identitySecret });
    const text = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString();
    return Object.fromEntries(fields.map((name) => [name, text(name)])) as unknown as AgentIdentity;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export async function writeIdentity(client: ApiClient, namespace: string, identity: AgentIdentity): Promise<void> {
  const data = Object.fromEntries(fields.map((name) => [name, Buffer.from(identity[name]).toString('base64')]));
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: identitySecret, namespace },
    type: 'Opaque',
    data,
  };
  try {
    await client.create(secretType, secret);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(secretType, { namespace, name: identitySecret }, 'merge', { data });
  }
}

/** Names a cluster for as long as it lives. */
export async function clusterId(client: ApiClient): Promise<string> {
  const { metadata } = await client.get(namespaceType, { name: 'kube-system' });
  return metadata.uid ?? '';
}

async function newKeys(): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** Joins with an invitation. The private key is made here and never leaves. */
export async function join(invitation: Invitation, cluster: string): Promise<AgentIdentity> {
  const { agent, mode, address, ca, secret } = invitation;
  const { publicKey, privateKey } = await newKeys();
  const client = await GrpcClient.connect({ address, ca, maxBytes: 2 ** 20 });
  try {
    const request = new ProtoWriter().string(1, `${agent}.${secret}`).string(2, publicKey).string(3, cluster).finish();
    const { strings } = readStrings(await client.unary('/fairlead.agent.v1.Registration/Join', request));
    return { agent, mode, address, ca: strings[2] ?? ca, cert: strings[1] ?? '', key: privateKey };
  } finally {
    client.close();
  }
}

/** The next certificate, over a connection that the present one has opened: no stream is disturbed. */
export async function renew(client: GrpcClient, identity: AgentIdentity): Promise<AgentIdentity> {
  const { publicKey, privateKey } = await newKeys();
  const request = new ProtoWriter().string(1, publicKey).finish();
  const { strings } = readStrings(await client.unary('/fairlead.agent.v1.Registration/Renew', request));
  return { ...identity, cert: strings[1] ?? '', ca: strings[2] ?? identity.ca, key: privateKey };
}

/** When a certificate should be replaced: after two thirds of its time. */
export function renewAt(cert: string): number {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return from + ((to - from) * 2) / 3;
}
