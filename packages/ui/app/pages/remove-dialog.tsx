import { send } from '../api/argocd.ts';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { t } from '../messages/index.ts';
import { useSave } from './use-save.ts';

interface RemoveDialogProps {
  /** The list that it is removed from, which is its path in the API as well. */
  readonly list: 'projects' | 'repositories' | 'clusters' | 'applicationsets';
  readonly name: string;
  /** Its identity in the API, if that is not its name. */
  readonly id?: string;
  readonly text: string;
  readonly onClose: () => void;
}

export function RemoveDialog({ list, name, id = name, text, onClose }: RemoveDialogProps) {
  const action = useSave({
    list,
    done: t.removed(name),
    save: () => send('DELETE', `${list}/${encodeURIComponent(id)}`),
    onDone: onClose,
  });
  return (
    <ConfirmDialog danger title={t.removeTitle(name)} confirm={t.remove} action={action} onClose={onClose}>
      <p>{text}</p>
    </ConfirmDialog>
  );
}
