import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { applicationPath, send } from '../api/argocd.ts';
import type { ApplicationDetail } from '../api/read-application.ts';
import { Check } from '../design/check.tsx';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { showToast } from '../design/toasts.tsx';
import { t } from '../messages/index.ts';

export function DeleteDialog({ app, onClose }: { readonly app: ApplicationDetail; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [cascade, setCascade] = useState(true);
  const navigate = useNavigate();
  const { namespace, name } = app;
  const remove = useMutation({
    mutationFn: () => send('DELETE', applicationPath(name), undefined, { appNamespace: namespace, cascade }),
    onSuccess: () => {
      showToast(t.app.deleted(name));
      void navigate({ to: '/applications', search: {} });
    },
  });
  return (
    <ConfirmDialog
      danger
      title={t.app.deleteTitle(name)}
      confirm={t.app.delete}
      action={remove}
      disabled={typed !== name}
      onClose={onClose}
    >
      <p>{t.app.deleteText}</p>
      <Check checked={cascade} onChange={setCascade}>
        {t.app.cascade}
      </Check>
      <label className="field">
        <span>{t.app.typeName(name)}</span>
        <input className="input" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
    </ConfirmDialog>
  );
}
