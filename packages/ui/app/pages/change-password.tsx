import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../api/argocd.ts';
import { useMe } from '../api/me.ts';
import { Dialog } from '../design/dialog.tsx';
import { Problem } from '../design/problem.tsx';
import { TextField } from '../design/text-field.tsx';
import { showToast } from '../design/toasts.tsx';
import { t } from '../messages/index.ts';

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
    <Dialog title={t.accounts.password} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        {change.error && <Problem error={change.error} />}
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
        <button type="submit" className="button primary" disabled={change.isPending}>
          {t.accounts.password}
        </button>
      </form>
    </Dialog>
  );
}
