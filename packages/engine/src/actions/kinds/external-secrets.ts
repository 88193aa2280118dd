import { at, formatTime, type Unstructured } from '@fairlead/apimachinery';
import type { ActionTable, Change } from '../action.ts';
import { withAnnotation } from '../change.ts';

/** The operator reads the Secret again when an annotation changes. */
const forced: Change = (object, { now }) => withAnnotation(object, 'force-sync', formatTime(now));

/** With the interval 0 the operator reads the Secret once, and ignores annotations. */
function isReadOnce(object: Unstructured): boolean {
  const interval = at(object, 'spec', 'refreshInterval');
  return /^0(?:ns|us|µs|ms|s|m|h)?$/u.test(typeof interval === 'number' ? String(interval) : String(interval ?? ''));
}

export const externalSecretActions: ActionTable = {
  'external-secrets.io/ExternalSecret': {
    discover: (object) => [
      { name: 'refresh', disabled: isReadOnce(object) && at(object, 'spec', 'refreshPolicy') !== 'OnChange' },
    ],
    changes: { refresh: forced },
  },
  'external-secrets.io/PushSecret': {
    discover: (object) => [{ name: 'push', disabled: isReadOnce(object) }],
    changes: { push: forced },
  },
};
