import { useState } from 'react';
import { send } from '../../api/argocd.ts';
import { Check } from '../../design/check.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { LinesField } from '../../design/lines-field.tsx';
import { Segments } from '../../design/segments.tsx';
import { TextField } from '../../design/text-field.tsx';
import { t } from '../../messages/index.ts';
import { useSave } from '../use-save.ts';
import { emptyRepository, type RepositoryDraft, repositoryOf } from './repository-draft.ts';

/** The server tests the connection before it stores the repository, and its answer is shown. */
export function AddRepository({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<RepositoryDraft>(emptyRepository);
  const set = (change: Partial<RepositoryDraft>): void => setDraft({ ...draft, ...change });
  const action = useSave({
    list: 'repositories',
    done: t.repositories.added,
    save: () => send('POST', 'repositories', repositoryOf(draft)),
    onDone: onClose,
  });
  return (
    <FormDialog title={t.repositories.add} submit={t.repositories.add} action={action} onClose={onClose}>
      <Segments
        label={t.repositories.type}
        value={draft.type}
        options={[
          { value: 'git', label: 'Git' },
          { value: 'helm', label: 'Helm' },
          { value: 'oci', label: 'OCI' },
        ]}
        onChange={(type) => set({ type })}
      />
      <TextField
        label={t.repositories.url}
        required
        placeholder={t.repositories.example[draft.type]}
        value={draft.url}
        onChange={(url) => set({ url })}
      />
      <TextField
        label={t.repositories.name}
        required={draft.type === 'helm'}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <TextField label={t.repositories.projectField} value={draft.project} onChange={(project) => set({ project })} />
      <TextField
        label={t.repositories.username}
        autoComplete="off"
        value={draft.username}
        onChange={(username) => set({ username })}
      />
      <TextField
        label={t.repositories.password}
        type="password"
        autoComplete="new-password"
        value={draft.password}
        onChange={(password) => set({ password })}
      />
      {draft.type === 'git' && (
        <LinesField
          label={t.repositories.sshKey}
          value={draft.sshKey}
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          onChange={(sshKey) => set({ sshKey })}
        />
      )}
      <Check checked={draft.insecure} onChange={(insecure) => set({ insecure })}>
        {t.repositories.insecure}
      </Check>
    </FormDialog>
  );
}
