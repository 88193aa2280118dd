import type { Expiring, SendTokenRequest } from '@fairlead/source';
import { assumeRole, ownCredentials, stsOf } from '../../aws/credentials.ts';
import { presignedUrl } from '../../aws/signature.ts';

/** EKS accepts a token for fifteen minutes; AWS checks the signature for one minute less than that with clocks that differ. */
const lifetimeMs = 14 * 60_000;

/** A token for an EKS cluster: a signed request to AWS, which the cluster sends to find out who asks. */
export async function eksToken(
  { clusterName, roleArn, profile }: { clusterName: string; roleArn: string; profile: string },
  environment: Readonly<Record<string, string | undefined>>,
  send: SendTokenRequest,
  now: number,
): Promise<Expiring<string>> {
  const sts = stsOf({ environment });
  const own = await ownCredentials(send, sts.url, { profile, environment });
  const credentials = roleArn === '' ? own : await assumeRole(send, sts, own, roleArn, new Date(now));
  const url = presignedUrl({
    endpoint: sts.url,
    service: 'sts',
    region: sts.region,
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { 'x-k8s-aws-id': clusterName },
    credentials,
    expirySeconds: 60,
    now: new Date(now),
  });
  return { value: `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`, expiresAt: now + lifetimeMs };
}
