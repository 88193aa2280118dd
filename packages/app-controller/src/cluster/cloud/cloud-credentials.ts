import { messageOf } from '@fairlead/apimachinery';
import type { Clock, CredentialSource } from '@fairlead/kube';
import { type Expiring, type SendTokenRequest, TokenCache } from '@fairlead/source';
import { aksToken } from './aks-token.ts';
import type { CloudLogin } from './cloud-login.ts';
import { eksToken } from './eks-token.ts';
import { gkeToken } from './gke-token.ts';

export interface CloudOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly send: SendTokenRequest;
  /** The Secret of the cluster, for messages. */
  readonly secret: string;
}

const names = { aws: 'EKS', gcp: 'GKE', azure: 'AKS' } as const;

/** Tokens of a cloud for the API server of a cluster, renewed before they expire and after the server has rejected one. */
export function cloudCredentials(
  login: CloudLogin,
  { environment, clock, send, secret }: CloudOptions,
): CredentialSource {
  const tokens = new TokenCache<string>(clock);
  const variables = { ...environment, ...login.env };
  const load = async (): Promise<Expiring<string>> => {
    try {
      return await tokenOf(login, variables, send, clock.now());
    } catch (error) {
      throw new Error(`Secret ${secret}: no ${names[login.kind]} token: ${messageOf(error)}`, { cause: error });
    }
  };
  return {
    get: async () => ({ token: await tokens.get('', load) }),
    refused: () => tokens.refused(''),
  };
}

function tokenOf(
  login: CloudLogin,
  environment: CloudOptions['environment'],
  send: SendTokenRequest,
  now: number,
): Promise<Expiring<string>> {
  switch (login.kind) {
    case 'aws':
      return eksToken(login, environment, send, now);
    case 'gcp':
      return gkeToken(environment, send, now);
    case 'azure':
      return aksToken(environment, send, now);
  }
}
