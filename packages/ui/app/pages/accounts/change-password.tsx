import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/argocd.ts';
import { useMe } from '../../api/me.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { TextField } from '../../design/text-field.tsx';
import { showToast } from '../../design/toasts.tsx';
import { t } from '../../messages/index.ts';

export function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  const { username } = useMe();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => send('PUT', 'account/password', { name: username, currentPassword, newPassword }),
    onSuccess: () => {
      showToast(t.accounts.changed);
      onClose();
    },
  });
  return (
    <FormDialog title={t.accounts.password} submit={t.accounts.password} action={change} onClose={onClose}>
      <TextField
        label={t.accounts.current}
        type="password"
        autoComplete="current-password"
        required
        value={currentPassword}
        onChange={setCurrent}
      />
      <TextField
        label={t.accounts.next}
        type="password"
        autoComplete="new-password"
        required
        value={newPassword}
        onChange={setNext}
      />
    </FormDialog>
  );
}
