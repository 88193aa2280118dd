import { type FieldError, fieldError, type JsonSchema, structural } from '@fairlead/apimachinery';
import { parseFieldPath } from './field-path.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasNewline = (text: string): boolean => /[\n\r]/.test(text);

/** The other fields of a rule: its message, reason and path. The rules themselves are compiled when the schema is valid. */
export function validateRuleFields(schema: JsonSchema, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const at = (field: string) => `${path}.x-kubernetes-validations[${index}].${field}`;
    const errors: FieldError[] = [];
    const source = (rule.rule ?? '').trim();
    const message = rule.message ?? '';
    if (source === '') errors.push(fieldError.required(at('rule'), 'rule is not specified'));
    else if (message !== '' && message.trim() === '')
      errors.push(fieldError.invalid(at('message'), message, 'must be non-empty if specified'));
    else if (hasNewline(message.trim()))
      errors.push(fieldError.invalid(at('message'), message, 'must not contain line breaks'));
    else if (hasNewline(source) && message === '')
      errors.push(fieldError.required(at('message'), 'message must be specified if rule contains line breaks'));
    if (rule.messageExpression && rule.messageExpression.trim() === '')
      errors.push(fieldError.required(at('messageExpression'), 'messageExpression must be non-empty if specified'));
    if (rule.reason !== undefined && rule.reason !== null && !reasons.includes(rule.reason))
      errors.push(fieldError.notSupported(at('reason'), rule.reason, reasons));
    if (rule.fieldPath) errors.push(...validateFieldPath(rule.fieldPath, schema, at('fieldPath')));
    return errors;
  });
}

function validateFieldPath(text: string, schema: JsonSchema, at: string): FieldError[] {
  const refuse = (detail: string) => fieldError.invalid(at, text, detail);
  const errors: FieldError[] = [];
  if (text.trim() === '') errors.push(refuse('must be non-empty if specified'));
  if (hasNewline(text)) errors.push(refuse('must not contain line breaks'));
  if (typeof parseFieldPath(text, structural(schema)) === 'string') errors.push(refuse('must be a valid path'));
  return errors;
}
