import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemText } from '../api/client.ts';
import { type ApplicationDetail, readApplication } from '../api/read-application.ts';
import { Age } from '../design/age.tsx';
import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuItem } from '../design/menu.tsx';
import { Status } from '../design/status.tsx';
import { showToast } from '../design/toasts.tsx';
import { repositoryLabel } from '../lib/repository-label.ts';
import { shortRevision } from '../lib/revision.ts';
import { safeUrl } from '../lib/safe-url.ts';
import { t } from '../messages/index.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import type { Rights } from './queries.ts';

interface ApplicationHeaderProps {
  readonly app: ApplicationDetail;
  readonly rights: Rights;
  readonly onSync: () => void;
}

export function ApplicationHeader({ app, rights, onSync }: ApplicationHeaderProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const queries = useQueryClient();
  const { namespace, name } = app;
  const refresh = useMutation({
    mutationFn: (how: 'normal' | 'hard') => readApplication(namespace, name, { refresh: how }),
    onSuccess: () => {
      showToast(t.app.refreshed);
      void queries.invalidateQueries({ queryKey: ['application', namespace, name] });
    },
    onError: (error) => showToast(problemText(error), 'bad'),
  });
  const more: MenuItem[] = [
    { label: t.app.hardRefresh, onSelect: () => refresh.mutate('hard') },
    ...(rights.remove
      ? [
          {
            label: t.app.delete,
            danger: true,
            icon: <Icon name="trash" size={14} />,
            onSelect: () => setIsDeleting(true),
          },
        ]
      : []),
  ];
  return (
    <header className="app-head">
      <div className="app-title">
        <h1>{name}</h1>
        <Status pill status={app.health} />
        <Status pill status={app.sync} />
        <span className="spread" />
        <button type="button" className="button" disabled={refresh.isPending} onClick={() => refresh.mutate('normal')}>
          {t.app.refresh}
        </button>
        {rights.sync && (
          <button type="button" className="button primary" onClick={onSync}>
            <Icon name="sync" size={14} />
            {t.app.sync}
          </button>
        )}
        <Menu trigger={<IconButton icon="more" label={t.app.more} className="" />} items={more} />
      </div>
      <Facts app={app} />
      {isDeleting && <DeleteDialog app={app} onClose={() => setIsDeleting(false)} />}
    </header>
  );
}

function Facts({ app }: { readonly app: ApplicationDetail }) {
  const source = safeUrl(app.repoURL);
  return (
    <dl className="app-facts">
      <Fact label={t.app.source}>
        {source ? (
          <a href={source} target="_blank" rel="noreferrer noopener" className="truncate">
            {repositoryLabel(app.repoURL)}
          </a>
        ) : (
          <span className="truncate" title={app.repoURL}>
            {repositoryLabel(app.repoURL)}
          </span>
        )}
        <span className="muted truncate">{app.path}</span>
      </Fact>
      <Fact label={t.app.revision}>
        <span className="mono" title={app.revision}>
          {app.revision === '' ? '–' : shortRevision(app.revision)}
        </span>
        <span className="muted truncate">{app.targetRevision}</span>
      </Fact>
      <Fact label={t.app.destination}>
        <span className="truncate" title={app.cluster}>
          {app.cluster === 'https://kubernetes.default.svc' ? 'in-cluster' : app.cluster}
        </span>
        <span className="muted truncate">{app.destinationNamespace}</span>
      </Fact>
      <Fact label={t.app.project}>
        <span className="truncate">{app.project}</span>
      </Fact>
      <Fact label={t.app.autoSync}>
        <span>{t.app[app.autoSync]}</span>
      </Fact>
      <Fact label={t.app.compared}>
        <Age time={app.reconciledAt || undefined} />
      </Fact>
    </dl>
  );
}

const Fact = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
