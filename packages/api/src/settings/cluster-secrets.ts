import { controllerAndServer, different, honoured, notSupported, type SettingRole, type Settings } from './setting.ts';

const deploying: readonly SettingRole[] = ['controller', 'applicationset', 'server'];

/** Keys of Secrets with the label `argocd.argoproj.io/secret-type: cluster`. `config.x` is field x of the JSON in `config`. */
export const clusterSecretSettings = {
  name: honoured('text', '', deploying, 'the name of the cluster; its URL if absent'),
  server: honoured('text', '', deploying, 'the URL of its API server'),
  project: honoured('text', '', deploying, 'the project whose Applications may use the cluster; any if empty'),
  namespaces: honoured(
    'list',
    '',
    controllerAndServer,
    'the only namespaces that are watched and deployed to; all if empty',
  ),
  clusterResources: honoured(
    'boolean',
    'false',
    controllerAndServer,
    'with `namespaces`, resources without a namespace are managed too',
  ),
  config: honoured('json', '', controllerAndServer, 'how to connect'),
  shard: honoured(
    'number',
    '',
    ['controller'],
    'the number of the controller that works on Applications of the cluster',
  ),
  'config.bearerToken': honoured('text', '', controllerAndServer, 'a token'),
  'config.username': honoured('text', '', controllerAndServer, 'the user name for basic authentication'),
  'config.password': honoured('text', '', controllerAndServer, 'the password for basic authentication'),
  'config.tlsClientConfig': honoured(
    'json',
    '',
    controllerAndServer,
    '`caData`, `certData`, `keyData`, `serverName` and `insecure`',
  ),
  'config.execProviderConfig': different(
    'json',
    '',
    controllerAndServer,
    'a program that prints credentials',
    'the program must be installed beside Fairlead; `argocd-k8s-auth aws`, `gcp` and `azure` are answered without one',
  ),
  'config.proxyUrl': honoured('text', '', controllerAndServer, 'the proxy for the cluster'),
  'config.awsAuthConfig': honoured(
    'json',
    '',
    controllerAndServer,
    'sign-in at EKS: `clusterName`, `roleARN` and `profile`',
  ),
  'config.disableCompression': notSupported('boolean', 'false', ['controller'], 'responses are never compressed'),
} as const satisfies Settings;
