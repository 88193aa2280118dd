import { different, honoured, notSupported, type SettingRole, type Settings } from './setting.ts';

const fetching: readonly SettingRole[] = ['controller', 'applicationset', 'notifications', 'server'];
const noAzure = 'sign-in at Azure is not implemented: use a token as `password`';
const noApp = 'GitHub App credentials are not implemented for sources: use a token as `password`';

/** Keys of Secrets with the label `argocd.argoproj.io/secret-type: repository` or `repo-creds`. */
export const repositorySecretSettings = {
  url: honoured('text', '', fetching, 'the URL of the repository; of repo-creds, the start of URLs'),
  name: honoured('text', '', fetching, 'a name for users'),
  project: honoured('text', '', fetching, 'the project that may use the repository; any if empty'),
  username: honoured('text', '', fetching, 'the user name for HTTP and registries'),
  password: honoured('text', '', fetching, 'the password or token for HTTP and registries'),
  bearerToken: honoured('text', '', fetching, 'a token that is sent as bearer token'),
  sshPrivateKey: honoured('text', '', fetching, 'the private key for SSH'),
  tlsClientCertData: honoured('text', '', fetching, 'the client certificate for HTTPS, in PEM'),
  tlsClientCertKey: honoured('text', '', fetching, 'the key of the client certificate'),
  insecure: honoured('boolean', 'false', fetching, 'certificates and host keys of the server are not checked'),
  insecureIgnoreHostKey: honoured('boolean', 'false', fetching, 'host keys of the server are not checked'),
  forceHttpBasicAuth: honoured('boolean', 'false', fetching, 'basic authentication is used at the first request'),
  insecureOCIForceHttp: honoured('boolean', 'false', fetching, 'the registry is read over HTTP'),
  proxy: honoured('text', '', fetching, 'the proxy for the repository'),
  noProxy: honoured('text', '', fetching, 'hosts that are reached without the proxy, separated by commas'),
  type: different(
    'text',
    'git',
    ['server'],
    'git, helm or oci, as clients show it',
    'sources are read as the Application says: by `chart`, or by the scheme of the URL',
  ),
  enableOCI: different(
    'boolean',
    'false',
    ['server'],
    'charts are read from a registry, as clients show it',
    'sources are read as the Application says: a URL without a scheme is a registry',
  ),
  depth: notSupported('number', '0', ['controller'], 'only what is needed is fetched into one mirror per repository'),
  enableLfs: notSupported('boolean', 'false', ['controller'], 'Git LFS is not implemented'),
  webhookManifestCacheWarmDisabled: notSupported(
    'boolean',
    'false',
    ['controller'],
    'a push renders only Applications whose inputs have changed',
  ),
  githubAppID: notSupported('number', '', ['controller'], noApp),
  githubAppInstallationID: notSupported('number', '', ['controller'], noApp),
  githubAppPrivateKey: notSupported('text', '', ['controller'], noApp),
  githubAppEnterpriseBaseUrl: notSupported('text', '', ['controller'], noApp),
  gcpServiceAccountKey: notSupported(
    'json',
    '',
    ['controller'],
    'sign-in at Google Cloud is not implemented: use a token as `password`',
  ),
  useAzureWorkloadIdentity: notSupported('boolean', 'false', ['controller'], noAzure),
  azureActiveDirectoryEndpoint: notSupported('text', '', ['controller'], noAzure),
  azureServicePrincipalClientId: notSupported('text', '', ['controller'], noAzure),
  azureServicePrincipalClientID: notSupported('text', '', ['controller'], noAzure),
  azureServicePrincipalClientSecret: notSupported('text', '', ['controller'], noAzure),
  azureServicePrincipalTenantId: notSupported('text', '', ['controller'], noAzure),
  azureServicePrincipalTenantID: notSupported('text', '', ['controller'], noAzure),
} as const satisfies Settings;
