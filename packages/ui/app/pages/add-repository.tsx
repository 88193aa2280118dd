import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../api/argocd.ts';
import { Dialog } from '../design/dialog.tsx';
import { Problem } from '../design/problem.tsx';
import { TextField } from '../design/text-field.tsx';
import { showToast } from '../design/toasts.tsx';
import { t } from '../messages/index.ts';

/** The server tests the connection before it stores the repository, and its answer is shown. */
export function AddRepository({ onClose }: { readonly onClose: () => void }) {
  const [repo, setRepo] = useState('');
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      send('POST', 'repositories', {
        repo,
        type: 'git',
        ...(name ? { name } : {}),
        ...(username ? { username } : {}),
        ...(password ? { password } : {}),
      }),
    onSuccess: () => {
      showToast(t.repositories.added);
      void queries.invalidateQueries({ queryKey: ['list', 'repositories'] });
      onClose();
    },
  });
  return (
    <Dialog title={t.repositories.add} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        {add.error && <Problem error={add.error} />}
        <TextField label={t.repositories.url} value={repo} onChange={setRepo} required />
        <TextField label={t.repositories.name} value={name} onChange={setName} />
        <TextField label={t.repositories.username} value={username} onChange={setUsername} autoComplete="off" />
        <TextField
          label={t.repositories.password}
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
        />
        <button type="submit" className="button primary" disabled={add.isPending}>
          {t.repositories.add}
        </button>
      </form>
    </Dialog>
  );
}
