import { type KubeObject, keyOf, type Secret, secretType, serviceAccountType, uidOf } from '@fairlead/apimachinery';
import { type ApiClient, Controller, done } from '@fairlead/kube';
import type { ControllerParts, MakeController } from '../../parts.ts';
import { forgiving } from '../forgiving.ts';
import { settling } from '../settling.ts';

const tokenType = 'kubernetes.io/service-account-token';
const accountName = 'kubernetes.io/service-account.name';
const accountUid = 'kubernetes.io/service-account.uid';
const byAccount = 'secret/service-account';

const accountsOf = ({ metadata }: KubeObject): string[] => {
  const name = metadata.annotations?.[accountName];
  return name ? [`${metadata.namespace}/${name}`] : [];
};
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** Adds tokens to Secrets of type service-account-token, and deletes them with the account. */
export const tokenSecrets: MakeController = (parts) => {
  const client = parts.client('tokens-controller');
  const accounts = parts.informers.informer(serviceAccountType);
  const secrets = parts.informers
    .informer<Secret>(secretType, { fieldSelector: `type=${tokenType}` })
    .addIndex(byAccount, accountsOf);
  const controller = new Controller({
    name: 'token-secrets',
    clock: parts.clock,
    log: parts.log,
    reconcile: settling(async (account) => {
      const owner = accounts.get(account);
      for (const secret of secrets.byIndex(byAccount, account)) {
        const uid = secret.metadata.annotations?.[accountUid];
        if (owner && (!uid || uid === owner.metadata.uid)) await fill(parts, client, owner, secret);
        else {
          const preconditions = { uid: uidOf(secret) };
          await forgiving(client.delete(secretType, secret.metadata, { preconditions }));
        }
      }
      return done;
    }),
  });
  accounts.addHandler({
    onAdd: (account) => controller.enqueue(keyOf(account)),
    onDelete: (account) => controller.enqueue(keyOf(account)),
  });
  return controller.watch(accounts, () => []).watch(secrets, accountsOf);
};

async function fill(parts: ControllerParts, client: ApiClient, owner: KubeObject, secret: Secret): Promise<void> {
  const { name, namespace = '', resourceVersion, annotations } = secret.metadata;
  const { data = {} } = secret;
  const { issueSecretToken } = parts;
  const account = { namespace, name: owner.metadata.name, uid: uidOf(owner) };
  const missing = {
    ...(data['ca.crt'] === encoded(parts.ca) ? {} : { 'ca.crt': encoded(parts.ca) }),
    ...(data['namespace'] ? {} : { namespace: encoded(namespace) }),
    ...(data['token'] || !issueSecretToken
      ? {}
      : { token: encoded(issueSecretToken(account, { name, uid: uidOf(secret) })) }),
  };
  const isNamed = annotations?.[accountUid] === owner.metadata.uid;
  if (isNamed && Object.keys(missing).length === 0) return;
  const body = { metadata: { resourceVersion, annotations: { [accountUid]: owner.metadata.uid } }, data: missing };
  await forgiving(client.patch(secretType, secret.metadata, 'merge', body));
}
