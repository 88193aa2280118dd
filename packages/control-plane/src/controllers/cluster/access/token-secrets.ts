import { Controller, done, type KubeObject, keyOf } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { forgiving } from '../forgiving.ts';
import { secretType, serviceAccountType } from '../kinds.ts';

const tokenType = 'kubernetes.io/service-account-token';
const accountName = 'kubernetes.io/service-account.name';
const accountUid = 'kubernetes.io/service-account.uid';
const byAccount = 'secret/service-account';

const accountsOf = ({ metadata }: KubeObject): string[] => {
  const name = metadata.annotations?.[accountName];
  return name ? [`${metadata.namespace}/${name}`] : [];
};

/** Deletes the secrets of service accounts that are gone: their tokens are worth nothing. */
export const tokenSecrets: MakeController = (parts) => {
  const client = parts.client('tokens-controller');
  const accounts = parts.informers.informer(serviceAccountType);
  const secrets = parts.informers
    .informer(secretType, { fieldSelector: `type=${tokenType}` })
    .addIndex(byAccount, accountsOf);
  const controller = new Controller({
    name: 'token-secrets',
    clock: parts.clock,
    log: parts.log,
    async reconcile(account) {
      const owner = accounts.get(account);
      for (const secret of secrets.byIndex(byAccount, account)) {
        const uid = secret.metadata.annotations?.[accountUid];
        if (owner && (!uid || uid === owner.metadata.uid)) continue;
        const preconditions = { uid: secret.metadata.uid! };
        await forgiving(client.delete(secretType, secret.metadata, { preconditions }));
      }
      return done;
    },
  });
  accounts.addHandler({ onDelete: (account) => controller.enqueue(keyOf(account)) });
  return controller.watch(accounts, () => []).watch(secrets, accountsOf);
};
