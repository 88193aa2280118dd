import type { KindRules } from '../resource.ts';

export type AdmissionRules = Pick<KindRules, 'admit' | 'verify' | 'validate' | 'validateUpdate'>;

/** Rules of a kind followed by those of an admission plugin. */
export function withAdmission(rules: KindRules, plugin: AdmissionRules): KindRules {
  return {
    ...rules,
    admit(draft, old, context) {
      rules.admit?.(draft, old, context);
      plugin.admit?.(draft, old, context);
    },
    verify(draft, old, context) {
      rules.verify?.(draft, old, context);
      plugin.verify?.(draft, old, context);
    },
    validate: (draft, context) => [
      ...(rules.validate?.(draft, context) ?? []),
      ...(plugin.validate?.(draft, context) ?? []),
    ],
    validateUpdate: (draft, old, context) => [
      ...(rules.validateUpdate?.(draft, old, context) ?? []),
      ...(plugin.validateUpdate?.(draft, old, context) ?? []),
    ],
  };
}
