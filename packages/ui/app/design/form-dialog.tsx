import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { t } from '../messages/index.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface FormDialogProps {
  readonly title: string;
  /** What the button says. */
  readonly submit: string;
  readonly action: UseMutationResult<unknown, unknown, void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** Fields that are sent together. The server checks them, and its answer is shown. */
export function FormDialog({ title, submit, action, onClose, children, wide = false }: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      wide={wide}
      title={title}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" form={id} className="button primary" disabled={action.isPending}>
            {submit}
          </button>
        </>
      }
    >
      <form
        id={id}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate();
        }}
      >
        {action.error !== null && <Problem error={action.error} />}
        {children}
      </form>
    </Dialog>
  );
}
