import { problemText } from '../api/client.ts';
import { t } from '../messages/index.ts';
import { Icon } from './icon.tsx';

/** An error, in the words of the server. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <div className="problem" role="alert">
      <Icon name="warning" />
      <div className="spread">{problemText(error)}</div>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {t.retry}
        </button>
      )}
    </div>
  );
}
