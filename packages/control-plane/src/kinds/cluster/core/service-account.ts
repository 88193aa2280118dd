import type { ServiceAccount } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';

const enforced = 'kubernetes.io/enforce-mountable-secrets';

function keepNamesOnly(account: { secrets?: { name?: string }[] }): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

export const serviceAccountRules: KindRules<ServiceAccount> = {
  prepareCreate: (draft) => keepNamesOnly(draft),
  prepareUpdate: (draft) => keepNamesOnly(draft),
  warnings(draft, old) {
    const isNew = old?.metadata.annotations?.[enforced] === undefined;
    if (!isNew || draft.metadata.annotations?.[enforced] === undefined) return [];
    return [
      `metadata.annotations[${enforced}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
  },
  metadataOnUpdate: ['update', 'create'],
};
