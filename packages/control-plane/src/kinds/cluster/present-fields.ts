import type { Json } from '@fairlead/apimachinery';
import type { Draft, KindRules } from '../../resource.ts';

/** Some fields are null where others would be absent, because of their Go types. For read-only rules null fields are removed. */
export function overPresentFields(rules: KindRules<Draft>): KindRules<Draft> {
  const { validate, validateUpdate, validateStatusUpdate, warnings } = rules;
  return {
    ...rules,
    ...(validate && { validate: (draft, context) => validate(present(draft), context) }),
    ...(validateUpdate && {
      validateUpdate: (draft, old, context) => validateUpdate(present(draft), present(old), context),
    }),
    ...(validateStatusUpdate && {
      validateStatusUpdate: (draft, old, context) => validateStatusUpdate(present(draft), present(old), context),
    }),
    ...(warnings && { warnings: (draft, old) => warnings(present(draft), old && present(old)) }),
  };
}

const present = (draft: Draft): Draft => withoutNulls(draft) as Draft;

/** The same value if it contains no null. */
function withoutNulls(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutNulls);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let copy: { [key: string]: Json } | undefined;
  for (const [key, child] of Object.entries(value)) {
    const kept = child === null ? null : withoutNulls(child);
    if (kept === child && child !== null) continue;
    copy ??= { ...value };
    if (kept === null) delete copy[key];
    else copy[key] = kept;
  }
  return copy ?? value;
}
