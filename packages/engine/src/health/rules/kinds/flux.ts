import { condition, degraded, field, healthy, progressing, type Rule, suspended } from '../rule.ts';
import type { Rules } from '../rule-table.ts';

/** A retry after an error is still an error: Ready is False until it succeeds. */
const reconciled: Rule = [
  suspended('{kind} is suspended', field('spec.suspend', true)),
  healthy('{it.reason}', condition('Ready', 'True')),
  degraded('{it.reason}', condition('Ready', 'False')),
  progressing('{it.reason}', condition('Ready', 'Unknown')),
  progressing('Status unknown'),
];

export const flux: Rules = {
  'helm.toolkit.fluxcd.io/HelmRelease': reconciled,
  'image.toolkit.fluxcd.io/ImagePolicy': reconciled,
  'image.toolkit.fluxcd.io/ImageRepository': reconciled,
  'image.toolkit.fluxcd.io/ImageUpdateAutomation': reconciled,
  'kustomize.toolkit.fluxcd.io/Kustomization': reconciled,
  'notification.toolkit.fluxcd.io/Receiver': reconciled,
  'source.toolkit.fluxcd.io/Bucket': reconciled,
  'source.toolkit.fluxcd.io/GitRepository': reconciled,
  'source.toolkit.fluxcd.io/HelmChart': reconciled,
  'source.toolkit.fluxcd.io/HelmRepository': [
    healthy("Helm repositories of type 'oci' do not contain any information in the status.", field('spec.type', 'oci')),
    ...reconciled,
  ],
  'source.toolkit.fluxcd.io/OCIRepository': reconciled,
};
