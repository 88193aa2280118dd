import { fieldError, labelValue, qualifiedName } from '@fairlead/apimachinery';
import { type Findings, invalid, oneOf, unsupported } from '../checks.ts';
import type { Leniency } from './leniency.ts';
import type { Toleration } from './types.ts';

export function* tolerations(list: readonly Toleration[], path: string, leniency: Leniency): Findings {
  for (const [index, toleration] of list.entries()) {
    const at = `${path}[${index}]`;
    const { key, operator = '', effect = '' } = toleration;
    if (key) yield* invalid(`${at}.key`, key, qualifiedName(key));
    else if (operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      yield fieldError.invalid(`${at}.operator`, operator, detail);
    }
    if (toleration.tolerationSeconds != null && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      yield fieldError.invalid(`${at}.effect`, effect, detail);
    }
    yield* valueFor(toleration, at, leniency);
    if (effect) yield* oneOf(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${at}.effect`);
  }
}

function* valueFor({ operator = '', value = '' }: Toleration, path: string, leniency: Leniency): Findings {
  const at = `${path}.operator`;
  if (operator === 'Equal' || operator === '') {
    const wrong = labelValue(value);
    if (wrong.length > 0) yield fieldError.invalid(at, value, wrong.join(';'));
  } else if (operator === 'Exists') {
    if (value) yield fieldError.invalid(at, value, "value must be empty when `operator` is 'Exists'");
  } else if (operator === 'Lt' || operator === 'Gt') {
    if (!leniency.tolerationComparison) return yield unsupported(at, operator, ['Equal', 'Exists', 'Lt', 'Gt']);
    if (value === '') yield fieldError.invalid(`${path}.value`, value, 'must be non-empty');
    else if (!/^(0|-?[1-9]\d*)$/.test(value)) {
      yield fieldError.invalid(`${path}.value`, value, 'must be a valid decimal integer in canonical form');
    }
  } else yield unsupported(at, operator, ['Equal', 'Exists']);
}
