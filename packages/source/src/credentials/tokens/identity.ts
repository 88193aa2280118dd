import type { AzureIdentity } from './azure-identity.ts';
import type { GithubApp } from './github-app.ts';
import type { GoogleServiceAccount } from './google-service-account.ts';

/** What is exchanged for a short-lived token. */
export type RepositoryIdentity = GithubApp | GoogleServiceAccount | AzureIdentity;

/**
 * The identity in a Secret, in the order of precedence of Argo CD. Its fields are checked when it is used, so that a wrong one is an error of the
 * Applications that use it.
 */
export function identityOf(text: (key: string) => string): RepositoryIdentity | undefined {
  const field = (key: string): string => text(key).trim();
  const [id, privateKey] = [field('githubAppID'), text('githubAppPrivateKey')];
  if (id !== '' && id !== '0' && privateKey !== '') {
    const installation = field('githubAppInstallationID');
    return { kind: 'github-app', id, installation, privateKey, baseUrl: field('githubAppEnterpriseBaseUrl') };
  }
  const key = text('gcpServiceAccountKey');
  if (key !== '') return { kind: 'google-service-account', key };
  if (field('useAzureWorkloadIdentity').toLowerCase() === 'true') return { kind: 'azure-workload-identity' };
  const clientSecret = field('azureServicePrincipalClientSecret');
  if (clientSecret === '') return undefined;
  return {
    kind: 'azure-service-principal',
    clientId: field('azureServicePrincipalClientID') || field('azureServicePrincipalClientId'),
    tenantId: field('azureServicePrincipalTenantID') || field('azureServicePrincipalTenantId'),
    clientSecret,
    endpoint: field('azureActiveDirectoryEndpoint'),
  };
}

/** The parts of an identity that must not appear in a message. */
export function identitySecrets(identity: RepositoryIdentity | undefined): string[] {
  switch (identity?.kind) {
    case 'github-app':
      return longWords(identity.privateKey);
    case 'google-service-account':
      return longWords(identity.key.replaceAll('\\n', '\n'));
    case 'azure-service-principal':
      return [identity.clientSecret];
    default:
      return [];
  }
}

/** The lines of a key in PEM, which may be quoted alone. */
export const longWords = (pem: string): string[] => pem.split(/\s+/u).filter((line) => line.length >= 32);
