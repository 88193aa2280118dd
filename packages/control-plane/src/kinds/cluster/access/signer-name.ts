import { dns1123Label, dns1123Subdomain, type FieldError, fieldError } from '@fairlead/apimachinery';

/** `example.com/signer-name`. */
export function validateSignerName(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [fieldError.invalid(field, name, detail)];
  }
  const labels = domain.split('.');
  return [
    ...(Buffer.byteLength(domain) > 253 ? [fieldError.tooLong(field, 253)] : []),
    ...firstWrong(labels, dns1123Label, field, domain),
    ...(labels.length < 2
      ? [fieldError.invalid(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...firstWrong(path.split('.'), dns1123Subdomain, field, path),
    ...(Buffer.byteLength(name) > 571 ? [fieldError.tooLong(field, 571)] : []),
  ];
}

function firstWrong(
  labels: readonly string[],
  messages: (label: string) => string[],
  field: string,
  shown: string,
): FieldError[] {
  const wrong = labels.find((label) => messages(label).length > 0);
  if (wrong === undefined) return [];
  return messages(wrong).map((message) =>
    fieldError.invalid(field, shown, `validating label ${JSON.stringify(wrong)}: ${message}`),
  );
}
