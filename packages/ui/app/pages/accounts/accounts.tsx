import { at, listAt, textAt } from '@fairlead/apimachinery/json-at';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { textsAt } from '../../api/read-application.ts';
import { DataTable } from '../../design/data-table.tsx';
import { Page } from '../../design/page.tsx';
import { QueryView } from '../../design/query-view.tsx';
import { t } from '../../messages/index.ts';
import { useList } from '../use-list.ts';
import { AccountTokens } from './account-tokens.tsx';
import { ChangePassword } from './change-password.tsx';

export function AccountsPage() {
  const { username, issuer } = useMe();
  const [isChanging, setIsChanging] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const query = useList('account');
  const account = query.data?.find((one) => textAt(one, 'name') === chosen);
  return (
    <Page
      title={t.accounts.title}
      actions={
        issuer === 'argocd' && (
          <button type="button" className="button" onClick={() => setIsChanging(true)}>
            {t.accounts.password}
          </button>
        )
      }
    >
      <QueryView query={query}>
        {(items) => (
          <DataTable
            label={t.accounts.title}
            items={items}
            keyOf={(account) => textAt(account, 'name')}
            columns={[
              {
                title: t.accounts.name,
                cell: (account) => (
                  <>
                    <strong>{textAt(account, 'name')}</strong>{' '}
                    {textAt(account, 'name') === username && <span className="pill">{t.accounts.you}</span>}
                  </>
                ),
              },
              { title: t.accounts.enabled, cell: (account) => (at(account, 'enabled') === true ? t.yes : t.no) },
              { title: t.accounts.capabilities, cell: (account) => textsAt(account, 'capabilities').join(', ') },
              {
                title: t.accounts.tokens,
                cell: (account) =>
                  textsAt(account, 'capabilities').includes('apiKey') ? (
                    <button type="button" className="link-button" onClick={() => setChosen(textAt(account, 'name'))}>
                      {t.accounts.tokenCount(listAt(account, 'tokens').length)}
                    </button>
                  ) : (
                    '–'
                  ),
              },
            ]}
          />
        )}
      </QueryView>
      {account && <AccountTokens account={account} onClose={() => setChosen(undefined)} />}
      {isChanging && <ChangePassword onClose={() => setIsChanging(false)} />}
    </Page>
  );
}
