import { different, honoured, notSupported, type Settings, server } from '../setting.ts';

const noDex = 'Dex is not included: set `oidc.config`; a Dex that runs elsewhere is an OpenID provider like any other';

/** Keys of the API server: addresses, accounts, sign-in and authorization. */
export const serverSettings = {
  url: honoured('text', '', server, 'the address at which users reach the server; single sign-on needs it'),
  additionalUrls: honoured('yaml', '', server, 'a list of other addresses of the server'),
  'admin.enabled': honoured('boolean', 'true', server, 'the account admin may sign in'),
  'accounts.*': honoured('list', '', server, 'a local account, with what it may do: `login`, `apiKey`'),
  'accounts.*.enabled': honoured('boolean', 'true', server, 'the account may be used'),
  'users.anonymous.enabled': honoured(
    'boolean',
    'false',
    server,
    'requests without a session have the rights of the default role',
  ),
  'users.session.duration': honoured('duration', '24h', server, 'how long a session lasts'),
  passwordPattern: honoured('text', '^.{8,32}$', server, 'the regular expression that new passwords must match'),
  'oidc.config': honoured('yaml', '', server, 'the OpenID provider for single sign-on'),
  'oidc.tls.insecure.skip.verify': honoured(
    'boolean',
    'false',
    server,
    'the certificate of the provider is not checked',
  ),
  'dex.config': different('yaml', '', server, 'shown to clients', noDex),
  'dex.auth.connectorId': notSupported('text', '', server, noDex),
  'server.maxPodLogsToRender': honoured('number', '10', server, 'the number of pods whose logs one request may read'),
  'server.rbac.disableApplicationFineGrainedRBACInheritance': honoured(
    'boolean',
    'true',
    server,
    'the right to update or delete an Application gives none on its resources',
  ),
  'server.rbac.rollback.enforce.enable': honoured(
    'boolean',
    'false',
    server,
    'a rollback needs the action `rollback` instead of `sync`',
  ),
  'application.sync.requireOverridePrivilegeForRevisionSync': honoured(
    'boolean',
    'false',
    server,
    'a sync to another revision than that of the Application needs the action `override`',
  ),
  'application.allowedNodeLabels': honoured('list', '', server, 'labels of nodes that trees of Applications show'),
  'application.links': honoured('yaml', '', server, 'deep links of Applications'),
  'project.links': honoured('yaml', '', server, 'deep links of projects'),
  'resource.links': honoured('yaml', '', server, 'deep links of resources'),
  'statusbadge.enabled': honoured('boolean', 'false', server, 'badges are served'),
  'statusbadge.url': honoured('text', '', server, 'the address of badges that clients show'),
  'exec.enabled': honoured('boolean', 'false', server, 'terminals in containers are served'),
  'exec.shells': honoured('list', 'bash,sh,powershell,cmd', server, 'shells that terminals may start, in order'),
  'extension.config': notSupported('yaml', '', server, 'requests are not forwarded to extensions'),
  'webhook.maxPayloadSizeMB': notSupported(
    'number',
    '50',
    server,
    'the size is limited to 10 MiB with a secret, and to 2 MiB without',
  ),
  'webhook.refresh.jitter': notSupported(
    'duration',
    '0s',
    server,
    'refreshes wait in a fair queue, so that they need no delay',
  ),
  'webhook.refresh.jitter.threshold': notSupported(
    'number',
    '10',
    server,
    'refreshes wait in a fair queue, so that they need no delay',
  ),
} as const satisfies Settings;
