import { dns1123Subdomain, type FieldError, fieldError, invalidEach, portNumber } from '@fairlead/apimachinery';

export interface ClientConfig {
  url?: string;
  service?: { name?: string; namespace?: string; path?: string; port?: number };
}

export function validateClientConfig({ url, service }: ClientConfig, path: string): FieldError[] {
  if (url !== undefined && service === undefined) return validateUrl(url, `${path}.url`);
  if (service !== undefined && url === undefined) return validateService(service, `${path}.service`);
  return [fieldError.required(path, 'exactly one of url or service is required')];
}

const form = '; desired format: https://host[/path]';

function validateUrl(text: string, field: string): FieldError[] {
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
  const [, scheme = '', authority = '', , query = '', fragment = ''] = match ?? [];
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? undefined : authority.slice(0, at);
  const host = authority.slice(at + 1);
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== 'https') {
    errors.push(fieldError.invalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`));
  }
  if (host === '') errors.push(fieldError.invalid(field, '', `host must be specified${form}`));
  if (user !== undefined) {
    errors.push(fieldError.invalid(field, user, 'user information is not permitted in the URL'));
  }
  if (fragment !== '') errors.push(fieldError.invalid(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(fieldError.invalid(field, query, 'query parameters are not permitted in the URL'));
  return errors;
}

function validateService(service: NonNullable<ClientConfig['service']>, path: string): FieldError[] {
  const { port = 0 } = service;
  const portProblems = portNumber(port);
  // The order of the two is that of a real server.
  return [
    ...(service.namespace ? [] : [fieldError.required(`${path}.namespace`)]),
    ...(service.name ? [] : [fieldError.required(`${path}.name`)]),
    ...(portProblems.length > 0
      ? [fieldError.invalid(`${path}.port`, port, `port is not valid: ${portProblems.join(', ')}`)]
      : []),
    ...validatePath(service.path ?? '', `${path}.path`),
  ];
}

function validatePath(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [fieldError.invalid(field, path, 'segment[0] may not be empty')];
  const errors = path.startsWith('/') ? [] : [fieldError.invalid(field, path, "must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...errors,
    ...steps.flatMap((step, index) =>
      step === ''
        ? [fieldError.invalid(field, path, `segment[${index}] may not be empty`)]
        : invalidEach(
            field,
            path,
            dns1123Subdomain(step).map((message) => `segment[${index}]: ${message}`),
          ),
    ),
  ];
}
