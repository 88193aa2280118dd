import { honoured, oneOf, own, type SettingRole, type Settings, server } from './setting.ts';

const webhooks: readonly SettingRole[] = ['server', 'controller', 'applicationset'];

export const argocdSecret = {
  'tls.crt': honoured('text', '', server, 'the certificate of the API server; generated if absent'),
  'tls.key': honoured('text', '', server, 'the key of the certificate'),
  'admin.password': honoured('text', '', server, 'the bcrypt hash of the password of admin; generated if absent'),
  'admin.passwordMtime': honoured('time', '', server, 'when the password was changed: older tokens are not accepted'),
  'admin.tokens': own(honoured('json', '', server, 'tokens that were issued for admin')),
  'accounts.*.password': honoured('text', '', server, 'the bcrypt hash of the password of an account'),
  'accounts.*.passwordMtime': honoured('time', '', server, 'when the password was changed'),
  'accounts.*.tokens': honoured('json', '', server, 'tokens that were issued for an account'),
  'server.secretkey': honoured('text', '', server, 'the key that signs tokens; generated if absent'),
  'webhook.github.secret': honoured('text', '', webhooks, 'the secret of webhooks of GitHub'),
  'webhook.gitlab.secret': honoured('text', '', webhooks, 'the secret of webhooks of GitLab'),
  'webhook.bitbucket.uuid': honoured('text', '', webhooks, 'the UUID of webhooks of Bitbucket'),
  'webhook.bitbucketserver.secret': honoured('text', '', webhooks, 'the secret of webhooks of Bitbucket Server'),
  'webhook.gogs.secret': honoured('text', '', webhooks, 'the secret of webhooks of Gogs and Gitea'),
  'webhook.gitea.secret': own(honoured('text', '', webhooks, 'the same, if `webhook.gogs.secret` is absent')),
  'webhook.azuredevops.username': honoured('text', '', webhooks, 'the user name of webhooks of Azure DevOps'),
  'webhook.azuredevops.password': honoured('text', '', webhooks, 'the password of webhooks of Azure DevOps'),
  'webhook.harbor.secret': honoured('text', '', webhooks, 'the secret of webhooks of Harbor'),
  'webhook.unauthenticated': own(
    oneOf(['allow'], '', webhooks, 'webhooks of hosts without a secret are accepted although another host has one'),
  ),
} as const satisfies Settings;
