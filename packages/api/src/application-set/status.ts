import { boolean, int64, list, object, required, type Static, string, time } from '../schema.ts';

const health = object({ status: string(), message: string(), lastTransitionTime: time() });

const condition = object({
  type: required(string()),
  message: required(string()),
  lastTransitionTime: time(),
  status: required(string()),
  reason: required(string()),
});

const applicationStatus = object({
  application: required(string()),
  lastTransitionTime: time(),
  message: required(string()),
  status: required(string('Waiting, Pending, Progressing or Healthy.')),
  step: required(string('The step of the rollout, from 1; -1 if no step selects the Application.')),
  targetRevisions: required(list(string())),
});

const resource = object({
  group: string(),
  version: string(),
  kind: string(),
  namespace: string(),
  name: string(),
  status: string(),
  health,
  hook: boolean(),
  requiresPruning: boolean(),
  syncWave: int64(),
  requiresDeletionConfirmation: boolean(),
});

export const applicationSetStatus = object({
  conditions: list(condition),
  applicationStatus: list(applicationStatus, 'The progress of each Application in a rollout.'),
  resources: list(resource, 'The generated Applications.'),
  resourcesCount: int64('How many Applications there are, also where not all are listed.'),
  health,
});

export interface ApplicationSetStatus extends Static<typeof applicationSetStatus> {}
export interface ApplicationSetCondition extends Static<typeof condition> {}
export interface RolloutStatus extends Static<typeof applicationStatus> {}
