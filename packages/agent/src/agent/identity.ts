import { generateKeyPair, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { namespaceType, textAt } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { readSecretValues, writeSecretValues } from '../cluster/opaque-secret.ts';
import { type Mode, readMode } from '../core/kinds.ts';
import type { Invitation } from '../principal/invitations.ts';
import { Registration } from '../wire/gen/registration_pb.ts';
import { GrpcClient } from '../wire/grpc-client.ts';
import { callUnary } from '../wire/rpc.ts';

export const identitySecret = 'fairlead-agent';

/** The certificate of an agent and the address of its principal. */
export interface AgentIdentity {
  readonly agent: string;
  readonly mode: Mode;
  readonly address: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** The identity in a cluster's Secret; undefined when the cluster has not joined. */
export async function readIdentity(client: ApiClient, namespace: string): Promise<AgentIdentity | undefined> {
  const value = await readSecretValues(client, namespace, identitySecret);
  if (!value) return undefined;
  return {
    agent: value('agent'),
    mode: readMode(value('mode')),
    address: value('address'),
    ca: value('ca'),
    cert: value('cert'),
    key: value('key'),
  };
}

export const writeIdentity = (client: ApiClient, namespace: string, identity: AgentIdentity): Promise<void> =>
  writeSecretValues(client, namespace, identitySecret, { ...identity });

/** Identifies a cluster: the uid of its kube-system namespace. */
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

/** Joins with an invitation. The private key is generated here and never sent. */
export async function join(invitation: Invitation, cluster: string): Promise<AgentIdentity> {
  const { agent, mode, address, ca, secret } = invitation;
  const { publicKey, privateKey } = await newKeys();
  const client = await GrpcClient.connect({ address, ca, maxBytes: 2 ** 20 });
  try {
    const token = `${agent}.${secret}`;
    const issued = await callUnary(client, Registration.method.join, { token, publicKey, cluster });
    return { agent, mode, address, ca: issued.ca || ca, cert: issued.certificate, key: privateKey };
  } finally {
    client.close();
  }
}

/** Gets a new certificate over the open connection, so that no stream is interrupted. */
export async function renew(client: GrpcClient, identity: AgentIdentity): Promise<AgentIdentity> {
  const { publicKey, privateKey } = await newKeys();
  const issued = await callUnary(client, Registration.method.renew, { publicKey });
  return { ...identity, cert: issued.certificate, ca: issued.ca || identity.ca, key: privateKey };
}

/** The uid of the Agent that a certificate was issued to; certificates of earlier versions do not contain it. */
export const agentUidOf = (cert: string): string | undefined =>
  textAt(new X509Certificate(cert).toLegacyObject().subject, 'serialNumber') || undefined;

/** When a certificate should be renewed: after two thirds of its validity. */
export function renewAt(cert: string): number {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return from + ((to - from) * 2) / 3;
}
