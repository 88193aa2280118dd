import { useEffect } from 'react';

interface RowKeys {
  readonly move: (step: number) => void;
  readonly open: () => void;
  readonly select: () => void;
}

/** `j` and `k` move, Enter opens, `x` selects, outside of fields and dialogs. */
export function useRowKeys({ move, open, select }: RowKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[role="dialog"]')) return;
      const { target } = event;
      const isElsewhere =
        target instanceof HTMLElement && target.matches('input, textarea, select, button, a, [role="menuitem"]');
      if (event.key === 'j') move(1);
      else if (event.key === 'k') move(-1);
      else if (event.key === 'x' && !isElsewhere) select();
      else if (event.key === 'Enter' && !isElsewhere) open();
    };
    const outsideOfText = (event: KeyboardEvent): void => {
      const { target } = event;
      const isText = target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select');
      if (!isText) onKey(event);
    };
    document.addEventListener('keydown', outsideOfText);
    return () => document.removeEventListener('keydown', outsideOfText);
  });
}
