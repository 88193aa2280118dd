import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { applicationPath, send } from '../../api/argocd.ts';
import { problemText } from '../../api/client.ts';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Icon } from '../../design/icon.tsx';
import { Menu, type MenuItem } from '../../design/menu.tsx';
import { showToast } from '../../design/toasts.tsx';
import { t } from '../../messages/index.ts';
import type { Rights } from '../queries.ts';
import type { TreeItem } from '../tree/tree-model.ts';
import { actionsQuery, resourceParams } from './queries.ts';

interface ResourceActionsProps {
  readonly app: ApplicationDetail;
  readonly item: TreeItem;
  readonly rights: Rights;
  readonly onSync: () => void;
  readonly onGone: () => void;
}

export function ResourceActions({ app, item, rights, onSync, onGone }: ResourceActionsProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const queries = useQueryClient();
  const { data: actions = [] } = useQuery(actionsQuery(app, item));
  const run = useMutation({
    mutationFn: (action: string) =>
      send('POST', applicationPath(app.name, 'resource/actions/v2'), { ...resourceParams(app, item), action }),
    onSuccess: (_, action) => {
      showToast(t.resource.ran(action));
      void queries.invalidateQueries({ queryKey: ['application', app.namespace, app.name] });
    },
    onError: (error) => showToast(problemText(error), 'bad'),
  });
  const items: MenuItem[] = [
    ...(rights.sync && item.sync !== '' ? [{ label: t.resource.syncThis, onSelect: onSync }] : []),
    ...actions.map(({ name, title, isDisabled }) => ({
      label: title,
      disabled: isDisabled,
      onSelect: () => run.mutate(name),
    })),
    ...(rights.remove && item.uid !== ''
      ? [
          {
            label: t.resource.delete,
            danger: true,
            icon: <Icon name="trash" size={14} />,
            onSelect: () => setIsDeleting(true),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="button">
            {t.resource.actions}
            <Icon name="down" size={12} />
          </button>
        }
        items={items}
        empty={t.resource.noActions}
      />
      {isDeleting && <DeleteResource app={app} item={item} onClose={() => setIsDeleting(false)} onGone={onGone} />}
    </>
  );
}

interface DeleteResourceProps {
  readonly app: ApplicationDetail;
  readonly item: TreeItem;
  readonly onClose: () => void;
  readonly onGone: () => void;
}

function DeleteResource({ app, item, onClose, onGone }: DeleteResourceProps) {
  const remove = useMutation({
    mutationFn: () => send('DELETE', applicationPath(app.name, 'resource'), undefined, resourceParams(app, item)),
    onSuccess: () => {
      showToast(t.resource.deleted);
      onGone();
    },
  });
  return (
    <ConfirmDialog
      danger
      title={t.resource.deleteTitle(`${item.kind} ${item.name}`)}
      confirm={t.resource.delete}
      action={remove}
      onClose={onClose}
    >
      <p>{t.resource.deleteText}</p>
    </ConfirmDialog>
  );
}
