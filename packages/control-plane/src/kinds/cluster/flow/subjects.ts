import { dns1123Label, dns1123Subdomain, type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';

export interface FlowSubject {
  kind?: string;
  user?: { name?: string };
  group?: { name?: string };
  serviceAccount?: { name?: string; namespace?: string };
}

const fieldOfKind = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
const kinds = ['ServiceAccount', 'User', 'Group'] as const;

export function validateFlowSubject(subject: FlowSubject, path: string): FieldError[] {
  const kind = kinds.find((known) => known === subject.kind);
  if (!kind) return [fieldError.notSupported(`${path}.kind`, subject.kind ?? '', kinds)];
  const forbidden = kinds
    .filter((other) => other !== kind && subject[fieldOfKind[other]])
    .map((other) => {
      const field = fieldOfKind[other];
      return fieldError.forbidden(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`);
    });
  const field = fieldOfKind[kind];
  const value = subject[field];
  if (!value) {
    return [
      fieldError.required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`),
      ...forbidden,
    ];
  }
  return [
    ...(kind === 'ServiceAccount'
      ? validateAccount(value, `${path}.${field}`)
      : value.name
        ? []
        : [fieldError.required(`${path}.${field}.name`)]),
    ...forbidden,
  ];
}

function validateAccount({ name, namespace }: { name?: string; namespace?: string }, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!name) errors.push(fieldError.required(`${path}.name`));
  else if (name !== '*') errors.push(...invalidEach(`${path}.name`, name, dns1123Subdomain(name)));
  if (namespace) errors.push(...invalidEach(`${path}.namespace`, namespace, dns1123Label(namespace)));
  else errors.push(fieldError.required(`${path}.namespace`, 'must specify namespace for service account'));
  return errors;
}
