import { formatTime, listAt, objectAt, stringsAt, textAt, type Unstructured } from '@fairlead/apimachinery';
import type { ActionTable, Creation, ResourceAction } from '../action.ts';
import { minuteStamp } from '../minute-stamp.ts';
import { ownerReferenceTo } from '../owner-reference.ts';

const createWorkflow: readonly ResourceAction[] = [
  { name: 'create-workflow', iconClass: 'fa fa-fw fa-plus', displayName: 'Create Workflow' },
];

const instanceId = 'workflows.argoproj.io/controller-instanceid';

const named = ({ metadata: { name, namespace } }: Unstructured, now: number) => ({
  name: `${name}-${minuteStamp(now)}`,
  ...(namespace === undefined ? {} : { namespace }),
});

/** As `argo submit --from=cronworkflow/NAME`. */
const fromCronWorkflow: Creation = (object, { now }) => {
  const finalizers = listAt(object, 'spec', 'workflowMetadata', 'finalizers');
  const instance = textAt(object, 'metadata', 'labels', instanceId);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Workflow',
    metadata: {
      ...named(object, now),
      labels: {
        ...stringsAt(object, 'spec', 'workflowMetadata', 'labels'),
        'workflows.argoproj.io/cron-workflow': object.metadata.name,
        ...(instance === '' ? {} : { [instanceId]: instance }),
      },
      annotations: {
        ...stringsAt(object, 'spec', 'workflowMetadata', 'annotations'),
        'workflows.argoproj.io/scheduled-time': formatTime(now),
      },
      ...(finalizers.length > 0 ? { finalizers: [...finalizers] } : {}),
      ownerReferences: [ownerReferenceTo(object)],
    },
    spec: objectAt(object, 'spec', 'workflowSpec') ?? {},
  };
};

/** As `argo submit --from=workflowtemplate/NAME`. */
const fromWorkflowTemplate: Creation = (object, { now }) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Workflow',
  metadata: {
    ...named(object, now),
    labels: { 'workflows.argoproj.io/workflow-template': object.metadata.name },
    ownerReferences: [ownerReferenceTo(object)],
  },
  spec: { workflowTemplateRef: { name: object.metadata.name } },
});

export const workflowActions: ActionTable = {
  'argoproj.io/CronWorkflow': {
    discover: () => createWorkflow,
    creations: { 'create-workflow': fromCronWorkflow },
  },
  'argoproj.io/WorkflowTemplate': {
    discover: () => createWorkflow,
    creations: { 'create-workflow': fromWorkflowTemplate },
  },
};
