import { objectsAt, textAt, type Unstructured } from '@fairlead/apimachinery';
import type { ActionTable, Change, KindActions, ResourceAction } from '../action.ts';
import { withAnnotation, withoutValue, withValue } from '../change.ts';

const upgradeState = 'numaplane.numaproj.io/upgrade-state';
const forcePromotion = 'numaplane.numaproj.io/force-promote';
const allowedResumeStrategies = 'numaflow.numaproj.io/allowed-resume-strategies';
const resumeStrategy = 'numaflow.numaproj.io/resume-strategy';
const allowDataLoss = 'numaplane.numaproj.io/allow-data-loss';
const markedForDeletion = 'numaplane.numaproj.io/marked-for-deletion';

const icon = (name: string): string => `fa-solid fa-fw fa-${name}`;
const labelOf = (object: Unstructured, name: string): string => textAt(object, 'metadata', 'labels', name);

/** The place of the spec of a pipeline or vertex: in itself, or in the rollout that makes it. */
type FieldPath = readonly string[];

interface Pausable {
  /** Where `lifecycle` is. */
  readonly spec: FieldPath;
  /** Where the annotation of allowed strategies is. */
  readonly metadata: FieldPath;
}

/** Pausing and the two ways to resume. What the other state of the object does not permit is disabled. */
function pauseActions(object: Unstructured, { spec, metadata }: Pausable, isPermitted: boolean): ResourceAction[] {
  const isPaused = textAt(object, ...spec, 'lifecycle', 'desiredPhase') === 'Paused';
  const strategies = textAt(object, ...metadata, 'annotations', allowedResumeStrategies);
  const mayResume = isPermitted && isPaused;
  return [
    { name: 'pause', disabled: !isPermitted || isPaused, iconClass: icon('pause') },
    {
      name: 'unpause-fast',
      disabled: !mayResume || (strategies !== 'fast' && strategies !== 'slow, fast'),
      displayName: 'Unpause (fast)',
      iconClass: icon('play'),
    },
    {
      name: 'unpause-gradual',
      disabled: !mayResume || strategies === 'fast',
      displayName: 'Unpause (gradual)',
      iconClass: icon('play'),
    },
  ];
}

const withPhase =
  (spec: FieldPath, phase: 'Paused' | 'Running'): Change =>
  (object) =>
    withValue(object, [...spec, 'lifecycle', 'desiredPhase'], phase);

/** An upgrade that waits for its result can be promoted without it. */
function forcePromote(object: Unstructured, displayName?: string): ResourceAction {
  const isUpgrading = ['in-progress', 'trial'].includes(labelOf(object, upgradeState));
  return {
    name: 'force-promote',
    disabled: !isUpgrading || labelOf(object, forcePromotion) === 'true',
    ...(displayName === undefined ? {} : { displayName }),
    iconClass: icon('forward'),
  };
}

const promoted: Change = (object) => withValue(object, ['metadata', 'labels', forcePromotion], 'true');

const isOwnedBy = (object: Unstructured, owner: string): boolean =>
  objectsAt(object, 'metadata', 'ownerReferences').some(({ kind }) => kind === owner);

const standalone: Pausable = { spec: ['spec'], metadata: ['spec', 'metadata'] };

const monoVertex: KindActions = {
  // Numaplane reverts changes of what it owns.
  discover: (object) => [
    forcePromote(object, 'Force Promote'),
    ...pauseActions(object, standalone, !isOwnedBy(object, 'MonoVertexRollout')),
  ],
  changes: {
    'force-promote': promoted,
    pause: withPhase(['spec'], 'Paused'),
    'unpause-fast': withPhase(['spec'], 'Running'),
    'unpause-gradual': (object, context) =>
      withoutValue(withPhase(['spec'], 'Running')(object, context), ['spec', 'replicas']),
  },
};

const resumedPipeline =
  (strategy: 'fast' | 'slow'): Change =>
  (object, context) =>
    withAnnotation(withPhase(['spec'], 'Running')(object, context), resumeStrategy, strategy);

const pipeline: KindActions = {
  discover: (object) => {
    const state = labelOf(object, upgradeState);
    const isPausingPermitted = !isOwnedBy(object, 'PipelineRollout') || state === 'recyclable-expired';
    return [
      {
        name: 'delete',
        disabled: state !== 'recyclable' && state !== 'recyclable-expired',
        displayName: 'Delete',
        iconClass: icon('trash'),
      },
      forcePromote(object, 'Force Promote'),
      ...pauseActions(object, standalone, isPausingPermitted),
    ];
  },
  changes: {
    delete: (object) => withAnnotation(object, markedForDeletion, 'true'),
    'force-promote': promoted,
    pause: withPhase(['spec'], 'Paused'),
    'unpause-fast': resumedPipeline('fast'),
    'unpause-gradual': resumedPipeline('slow'),
  },
};

const rolloutOf = (field: 'monoVertex' | 'pipeline'): Pausable => ({
  spec: ['spec', field, 'spec'],
  metadata: ['spec', field, 'metadata'],
});

function rolloutChanges({ spec }: Pausable): Readonly<Record<string, Change>> {
  const resumed =
    (fastResume: boolean): Change =>
    (object, context) =>
      withValue(
        withPhase(spec, 'Running')(object, context),
        ['spec', 'strategy', 'pauseResume', 'fastResume'],
        fastResume,
      );
  return { pause: withPhase(spec, 'Paused'), 'unpause-fast': resumed(true), 'unpause-gradual': resumed(false) };
}

const monoVertexRollout: KindActions = {
  discover: (object) => pauseActions(object, rolloutOf('monoVertex'), true),
  changes: rolloutChanges(rolloutOf('monoVertex')),
};

const pipelineRollout: KindActions = {
  discover: (object) => [
    {
      name: 'allow-data-loss',
      disabled: textAt(object, 'status', 'upgradeInProgress') !== 'PipelinePauseAndDrain',
      displayName: 'Allow (Possible) Data Loss',
      iconClass: icon('unlock'),
    },
    {
      name: 'disallow-data-loss',
      disabled: textAt(object, 'metadata', 'annotations', allowDataLoss) !== 'true',
      displayName: 'Disallow Data Loss',
      iconClass: icon('lock'),
    },
    ...pauseActions(object, rolloutOf('pipeline'), true),
  ],
  changes: {
    ...rolloutChanges(rolloutOf('pipeline')),
    'allow-data-loss': (object) => withAnnotation(object, allowDataLoss, 'true'),
    'disallow-data-loss': (object) => withAnnotation(object, allowDataLoss, 'false'),
  },
};

export const numaprojActions: ActionTable = {
  'numaflow.numaproj.io/InterStepBufferService': {
    discover: (object) => [forcePromote(object)],
    changes: { 'force-promote': promoted },
  },
  'numaflow.numaproj.io/MonoVertex': monoVertex,
  'numaflow.numaproj.io/Pipeline': pipeline,
  'numaplane.numaproj.io/MonoVertexRollout': monoVertexRollout,
  'numaplane.numaproj.io/PipelineRollout': pipelineRollout,
};
