import { type AzureIdentity, azureAccessToken, type Expiring, type SendTokenRequest } from '@fairlead/source';

/** The application that all AKS clusters with Entra ID share. */
const aksServer = '6dae42f8-4368-4678-94ff-3960e28e3630';

/** A token for an AKS cluster, with the variables of kubelogin. */
export async function aksToken(
  environment: Readonly<Record<string, string | undefined>>,
  send: SendTokenRequest,
  now: number,
): Promise<Expiring<string>> {
  const server = environment['AAD_SERVER_APPLICATION_ID'] || aksServer;
  return azureAccessToken(identityIn(environment), `${server}/.default`, environment, send, now);
}

function identityIn(environment: Readonly<Record<string, string | undefined>>): AzureIdentity {
  const method = environment['AAD_LOGIN_METHOD'] || 'workloadidentity';
  const variable = (...names: string[]): string => names.map((name) => environment[name]).find(Boolean) ?? '';
  switch (method) {
    case 'workloadidentity':
      return { kind: 'azure-workload-identity' };
    case 'spn':
      return {
        kind: 'azure-service-principal',
        clientId: variable('AAD_SERVICE_PRINCIPAL_CLIENT_ID', 'AZURE_CLIENT_ID'),
        tenantId: variable('AZURE_TENANT_ID'),
        clientSecret: variable('AAD_SERVICE_PRINCIPAL_CLIENT_SECRET', 'AZURE_CLIENT_SECRET'),
        endpoint: variable('AZURE_AUTHORITY_HOST'),
      };
    default:
      throw new Error(`AAD_LOGIN_METHOD ${JSON.stringify(method)} is not one of workloadidentity, spn`);
  }
}
