import { readFile } from 'node:fs/promises';
import { messageOf, textAt } from '@fairlead/apimachinery';
import { SourceError } from '../../source-error.ts';
import type { Expiring } from './token-cache.ts';
import { expiryOf, type SendTokenRequest, type TokenRequest, tokenReply } from './token-request.ts';

/** The identity that Azure gives this process: see `AZURE_FEDERATED_TOKEN_FILE`. */
export interface AzureWorkloadIdentity {
  readonly kind: 'azure-workload-identity';
}

export interface AzureServicePrincipal {
  readonly kind: 'azure-service-principal';
  readonly clientId: string;
  readonly tenantId: string;
  readonly clientSecret: string;
  /** The authority; empty for that of the public cloud. */
  readonly endpoint: string;
}

export type AzureIdentity = AzureWorkloadIdentity | AzureServicePrincipal;

type Environment = Readonly<Record<string, string | undefined>>;

/** Azure DevOps, as a scope of tokens. */
export const azureDevOpsScope = '499b84ac-1321-427f-aa17-267ca6975798/.default';
const publicCloud = 'https://login.microsoftonline.com';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Whether a server may get a token of this process: anyone who can store a repository for a project could otherwise have the token of the
 * controller sent to any address.
 */
export function isAzureDevOps(url: string): boolean {
  const { protocol, hostname = '' } = URL.parse(url) ?? {};
  return protocol === 'https:' && (hostname === 'dev.azure.com' || hostname.endsWith('.visualstudio.com'));
}

/** A token of Microsoft Entra ID, by the client credentials grant. The file with the assertion is read each time: Kubernetes renews it. */
export async function azureAccessToken(
  identity: AzureIdentity,
  scope: string,
  environment: Environment,
  send: SendTokenRequest,
  now: number,
): Promise<Expiring<string>> {
  const { tenantId, endpoint, secret, fields } = await requestOf(identity, environment);
  const url = `${endpoint.replace(/\/+$/u, '')}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
  const request: TokenRequest = {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ grant_type: 'client_credentials', scope, ...fields })),
  };
  const json = tokenReply(request, await send(request), [secret, encodeURIComponent(secret)]);
  const value = textAt(json, 'access_token');
  if (value === '') throw new SourceError('AuthenticationFailed', `POST ${url} returned no token`);
  return { value, expiresAt: expiryOf(json, now) };
}

interface ClientCredentials {
  readonly tenantId: string;
  readonly endpoint: string;
  readonly secret: string;
  readonly fields: Readonly<Record<string, string>>;
}

async function requestOf(identity: AzureIdentity, environment: Environment): Promise<ClientCredentials> {
  if (identity.kind === 'azure-service-principal') {
    const { clientId, tenantId, clientSecret, endpoint } = identity;
    if (clientId === '' || tenantId === '')
      throw invalid('azureServicePrincipalClientID and azureServicePrincipalTenantID are required');
    const fields = { client_id: clientId, client_secret: clientSecret };
    return { tenantId, endpoint: endpoint || publicCloud, secret: clientSecret, fields };
  }
  const variable = (name: string): string => {
    const value = environment[name];
    if (!value) throw invalid(`the environment variable ${name} is not set: this pod has no Azure workload identity`);
    return value;
  };
  const [clientId, tenantId] = [variable('AZURE_CLIENT_ID'), variable('AZURE_TENANT_ID')];
  const assertion = await federatedToken(variable('AZURE_FEDERATED_TOKEN_FILE'));
  return {
    tenantId,
    endpoint: environment['AZURE_AUTHORITY_HOST'] || publicCloud,
    secret: assertion,
    fields: { client_id: clientId, client_assertion_type: assertionType, client_assertion: assertion },
  };
}

async function federatedToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw invalid(`AZURE_FEDERATED_TOKEN_FILE cannot be read: ${messageOf(error)}`);
  }
}

const invalid = (what: string): SourceError => new SourceError('AuthenticationFailed', what);
