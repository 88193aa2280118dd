import type { LabelSelector } from '@fairlead/apimachinery';
import type { Draft } from '../../../resource.ts';
import type { PodTemplateSpec, TemplateMeta } from '../pod-spec/types.ts';
import type { ClaimSpec } from '../pod-spec/volume-types.ts';
import type { IntOrPercent } from '../rollout.ts';
import * as templates from '../template.ts';

interface ClaimTemplate {
  apiVersion?: string;
  kind?: string;
  metadata?: TemplateMeta;
  spec?: ClaimSpec;
  status?: { phase?: string };
}

export interface StatefulSetSpec {
  replicas?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  volumeClaimTemplates?: ClaimTemplate[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: { type?: string; rollingUpdate?: { partition?: number; maxUnavailable?: IntOrPercent } };
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  ordinals?: { start?: number };
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
}

export const specOf = (draft: Draft): StatefulSetSpec => templates.specOf<StatefulSetSpec>(draft);
