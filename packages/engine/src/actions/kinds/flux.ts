import { at, formatTime } from '@fairlead/apimachinery';
import type { ActionTable, Change, KindActions } from '../action.ts';
import { withAnnotation } from '../change.ts';
import { resumed, suspended } from './suspend.ts';

/** As `flux reconcile`: a changed value of the annotation starts a reconciliation. */
const reconciled: Change = (object, { now }) =>
  withAnnotation(object, 'reconcile.fluxcd.io/requestedAt', `By Argo CD at: ${formatTime(now).slice(0, -1)}`);

/** Kinds that are only read by other controllers of Flux can be suspended, and not reconciled. */
const suspendable: KindActions = {
  discover: (object) => {
    const isSuspended = at(object, 'spec', 'suspend') === true;
    return [
      { name: 'resume', disabled: !isSuspended },
      { name: 'suspend', disabled: isSuspended },
    ];
  },
  changes: { resume: resumed, suspend: suspended },
};

const reconcilable: KindActions = {
  discover: (object) => [
    { name: 'reconcile', disabled: at(object, 'spec', 'suspend') === true },
    ...suspendable.discover(object),
  ],
  changes: { ...suspendable.changes, reconcile: reconciled },
};

export const fluxActions: ActionTable = {
  'helm.toolkit.fluxcd.io/HelmRelease': reconcilable,
  'image.toolkit.fluxcd.io/ImageRepository': reconcilable,
  'image.toolkit.fluxcd.io/ImageUpdateAutomation': reconcilable,
  'kustomize.toolkit.fluxcd.io/Kustomization': reconcilable,
  'notification.toolkit.fluxcd.io/Alert': suspendable,
  'notification.toolkit.fluxcd.io/Provider': suspendable,
  'notification.toolkit.fluxcd.io/Receiver': reconcilable,
  'source.toolkit.fluxcd.io/Bucket': reconcilable,
  'source.toolkit.fluxcd.io/GitRepository': reconcilable,
  'source.toolkit.fluxcd.io/HelmChart': reconcilable,
  'source.toolkit.fluxcd.io/HelmRepository': reconcilable,
  'source.toolkit.fluxcd.io/OCIRepository': reconcilable,
};
