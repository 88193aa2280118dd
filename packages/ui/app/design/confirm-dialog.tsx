import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../messages/index.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says. */
  readonly confirm: string;
  readonly action: UseMutationResult<unknown, unknown, void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly wide?: boolean;
  /** Beside the buttons. */
  readonly note?: ReactNode;
}

/** Says what will happen, and does it when that is confirmed. What the server refuses is shown. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, confirm, action, onClose, children, danger = false, disabled = false, wide = false, note } = props;
  return (
    <Dialog
      wide={wide}
      title={title}
      onClose={onClose}
      footer={
        <>
          {note && <span className="muted small dialog-note">{note}</span>}
          <button type="button" className="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button
            type="button"
            className={`button ${danger ? 'danger' : 'primary'}`}
            disabled={disabled || action.isPending}
            onClick={() => action.mutate()}
          >
            {confirm}
          </button>
        </>
      }
    >
      {action.error !== null && <Problem error={action.error} />}
      {children}
    </Dialog>
  );
};
