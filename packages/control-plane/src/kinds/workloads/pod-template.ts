import type { PodTemplateFields, PodTemplateSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../resource.ts';
import { podTemplate } from './pod-spec/validate.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

const templateOf = ({ template }: PodTemplateFields): PodTemplateSpec => template ?? {};

export const podTemplateRules = (settings: Settings): KindRules<PodTemplateFields> => ({
  prepareCreate: (draft) => templates.dropDisabledTemplateFields(templateOf(draft)),
  prepareUpdate: (draft, old) => templates.dropDisabledTemplateFields(templateOf(draft), templateOf(old)),
  validate: (draft, { operation }) =>
    operation === 'create' ? [...podTemplate(templateOf(draft), 'template', { ...settings })] : [],
  validateUpdate: (draft, old) => [
    ...podTemplate(templateOf(draft), 'template', templates.leniencyOfTemplate(templateOf(old), settings)),
  ],
  warnings(draft, old) {
    if (old && draft.metadata.generation === old.metadata.generation) return [];
    return templates.templateWarnings(templateOf(draft), 'template');
  },
});
