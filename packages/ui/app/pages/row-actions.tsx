import { IconButton } from '../design/icon-button.tsx';
import { t } from '../messages/index.ts';

interface RowActionsProps {
  readonly name: string;
  /** Undefined if the caller may not. */
  readonly onEdit?: (() => void) | undefined;
  readonly onRemove?: (() => void) | undefined;
}

export const RowActions = ({ name, onEdit, onRemove }: RowActionsProps) => (
  <span className="row row-actions">
    {onEdit && <IconButton icon="edit" label={t.edit(name)} onClick={onEdit} />}
    {onRemove && <IconButton icon="trash" label={t.removeTitle(name)} onClick={onRemove} />}
  </span>
);
