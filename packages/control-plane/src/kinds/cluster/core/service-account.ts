import type { Draft, KindRules } from '../../../resource.ts';
import { fieldsOf } from '../shape.ts';

const enforced = 'kubernetes.io/enforce-mountable-secrets';

function keepNamesOnly(account: { secrets?: { name?: string }[] }): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

export const serviceAccountRules: KindRules<Draft> = {
  prepareCreate: (draft) => keepNamesOnly(fieldsOf(draft)),
  prepareUpdate: (draft) => keepNamesOnly(fieldsOf(draft)),
  warnings(draft, old) {
    const isNew = old?.metadata.annotations?.[enforced] === undefined;
    if (!isNew || draft.metadata.annotations?.[enforced] === undefined) return [];
    return [
      `metadata.annotations[${enforced}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
  },
  metadataOnUpdate: ['update', 'create'],
};
