import { type JsonObject, numberAt, objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/argocd.ts';
import { Age } from '../../design/age.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { Problem } from '../../design/problem.tsx';
import { TextField } from '../../design/text-field.tsx';
import { showToast } from '../../design/toasts.tsx';
import { t } from '../../messages/index.ts';

interface AccountTokensProps {
  readonly account: JsonObject;
  readonly onClose: () => void;
}

const seconds = (at: number): string | undefined => (at === 0 ? undefined : new Date(at * 1_000).toISOString());

/** The API tokens of an account. A new one is shown once. */
export function AccountTokens({ account, onClose }: AccountTokensProps) {
  const name = textAt(account, 'name');
  const [id, setId] = useState('');
  const [days, setDays] = useState('90');
  const queries = useQueryClient();
  const path = `account/${encodeURIComponent(name)}/token`;
  const read = (): void => void queries.invalidateQueries({ queryKey: ['list', 'account'] });
  const create = useMutation({
    mutationFn: () => send('POST', path, { name, id, expiresIn: Math.max(0, Number(days) || 0) * 86_400 }),
    onSuccess: read,
  });
  const remove = useMutation({
    mutationFn: (token: string) => send('DELETE', `${path}/${encodeURIComponent(token)}`),
    onSuccess: () => {
      showToast(t.accounts.revoked);
      read();
    },
  });
  const error = create.error ?? remove.error;
  const made = textAt(create.data, 'token');
  const tokens = objectsAt(account, 'tokens');
  return (
    <Dialog title={t.accounts.tokensOf(name)} onClose={onClose}>
      {error && <Problem error={error} />}
      {made !== '' && (
        <div className="note stack">
          <p>{t.accounts.once}</p>
          <code className="token">{made}</code>
          <div>
            <button
              type="button"
              className="button"
              onClick={() => void navigator.clipboard.writeText(made).then(() => showToast(t.copied))}
            >
              {t.copy}
            </button>
          </div>
        </div>
      )}
      {tokens.length === 0 ? (
        <p className="muted">{t.accounts.noTokens}</p>
      ) : (
        <DataTable
          label={t.accounts.tokens}
          items={tokens}
          keyOf={(token) => textAt(token, 'id')}
          columns={[
            { title: t.accounts.tokenId, cell: (token) => <span className="mono">{textAt(token, 'id')}</span> },
            { title: t.accounts.issued, cell: (token) => <Age time={seconds(numberAt(token, 'issuedAt'))} /> },
            {
              title: t.accounts.expires,
              cell: (token) => {
                const at = seconds(numberAt(token, 'expiresAt'));
                return at === undefined ? t.never : new Date(at).toLocaleDateString();
              },
            },
            {
              title: t.actions,
              cell: (token) => (
                <IconButton
                  icon="trash"
                  label={t.accounts.revoke(textAt(token, 'id'))}
                  onClick={() => remove.mutate(textAt(token, 'id'))}
                />
              ),
            },
          ]}
        />
      )}
      <form
        className="token-form"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextField label={t.accounts.tokenName} value={id} onChange={setId} />
        <TextField label={t.accounts.days} value={days} onChange={setDays} />
        <button type="submit" className="button primary" disabled={create.isPending}>
          {t.accounts.createToken}
        </button>
      </form>
    </Dialog>
  );
}
