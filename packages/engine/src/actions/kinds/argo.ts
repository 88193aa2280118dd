import { at, isJsonObject, type Unstructured } from '@fairlead/apimachinery';
import type { ActionTable, Change } from '../action.ts';
import { withValue } from '../change.ts';

/** Phases in which an AnalysisRun is over. */
const finalPhases: ReadonlySet<unknown> = new Set(['Successful', 'Failed', 'Error', 'Inconclusive']);

const isAutoSyncEnabled = (application: Unstructured): boolean => {
  const automated = at(application, 'spec', 'syncPolicy', 'automated');
  return isJsonObject(automated) && (automated['enabled'] ?? true) === true;
};

const toggleAutoSync: Change = (application) =>
  withValue(application, ['spec', 'syncPolicy', 'automated', 'enabled'], !isAutoSyncEnabled(application));

export const argoActions: ActionTable = {
  'argoproj.io/AnalysisRun': {
    discover: (object) => [
      {
        name: 'terminate',
        disabled: at(object, 'spec', 'terminate') === true || finalPhases.has(at(object, 'status', 'phase')),
      },
    ],
    changes: { terminate: (object) => withValue(object, ['spec', 'terminate'], true) },
  },
  'argoproj.io/Application': {
    discover: (object) => [
      {
        name: 'toggle-auto-sync',
        displayName: isAutoSyncEnabled(object) ? 'Disable Auto-Sync' : 'Enable Auto-Sync',
      },
    ],
    changes: { 'toggle-auto-sync': toggleAutoSync },
  },
  'promoter.argoproj.io/PullRequest': {
    discover: (object) => [
      {
        name: 'merge',
        disabled: at(object, 'spec', 'state') !== 'open',
        iconClass: 'fa fa-fw fa-code-merge',
        displayName: 'Merge PR',
      },
    ],
    changes: { merge: (object) => withValue(object, ['spec', 'state'], 'merged') },
  },
};
