import type { ApplicationSet } from '@fairlead/api';

type Strategy = NonNullable<ApplicationSet['spec']['strategy']>;
export type RolloutStep = NonNullable<NonNullable<Strategy['rollingSync']>['steps']>[number];

/** Whether Applications are synced step by step, also if there are no steps yet. */
export const isRollingSync = ({ spec: { strategy } }: ApplicationSet): boolean =>
  strategy?.type === 'RollingSync' && strategy.rollingSync !== undefined && strategy.rollingSync !== null;

export const rolloutSteps = (set: ApplicationSet): readonly RolloutStep[] =>
  isRollingSync(set) ? (set.spec.strategy?.rollingSync?.steps ?? []) : [];

/** Whether a deletion of the set deletes the Applications of the last step first. */
export const isDeletionReversed = (set: ApplicationSet): boolean =>
  rolloutSteps(set).length > 0 && (set.spec.strategy?.deletionOrder ?? '').toLowerCase() === 'reverse';
