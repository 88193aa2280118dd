import { textAt } from '@fairlead/apimachinery';
import type { ActionTable } from '../action.ts';
import { withAnnotation } from '../change.ts';

const manualRollingUpdate = 'strimzi.io/manual-rolling-update';

export const kafkaActions: ActionTable = {
  'core.strimzi.io/StrimziPodSet': {
    discover: (object) => [
      { name: 'rolling-update', disabled: textAt(object, 'metadata', 'annotations', manualRollingUpdate) === 'true' },
    ],
    changes: { 'rolling-update': (object) => withAnnotation(object, manualRollingUpdate, 'true') },
  },
};
