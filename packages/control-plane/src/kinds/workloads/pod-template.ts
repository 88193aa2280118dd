import type { Draft, KindRules } from '../../resource.ts';
import { defaultTemplate } from './pod-spec/default.ts';
import type { PodTemplateSpec } from './pod-spec/types.ts';
import { podTemplate } from './pod-spec/validate.ts';
import type { Settings } from './settings.ts';
import * as templates from './template.ts';

function templateOf(draft: Draft): PodTemplateSpec {
  const object = draft as unknown as { template?: PodTemplateSpec };
  object.template ??= {};
  return object.template;
}

export const podTemplateRules = (settings: Settings): KindRules => ({
  default: (draft) => defaultTemplate(templateOf(draft)),
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
