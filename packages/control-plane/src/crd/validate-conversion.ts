import { dns1035Label, type FieldError, fieldError } from '@fairlead/apimachinery';
import type { Conversion } from './definition.ts';

/** Conversion webhooks are validated as on a real server, though none is ever called. */
export function validateConversion(conversion: Conversion | undefined, path: string): FieldError[] {
  if (!conversion) return [];
  const errors: FieldError[] = [];
  const { strategy, webhook } = conversion;
  if (!strategy) errors.push(fieldError.required(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook')
    errors.push(fieldError.notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  const config = `${path}.webhookClientConfig`;
  const reviews = `${path}.conversionReviewVersions`;
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig) errors.push(fieldError.forbidden(config, detail));
    if (webhook?.conversionReviewVersions?.length) errors.push(fieldError.forbidden(reviews, detail));
    return errors;
  }
  const client = webhook?.clientConfig;
  if (!client) errors.push(fieldError.required(config, 'required when strategy is set to Webhook'));
  else if (client.url !== undefined && client.service === undefined)
    errors.push(...validateUrl(client.url, `${config}.url`));
  else if (client.service !== undefined && client.url === undefined)
    errors.push(...validateService(client.service, `${config}.service`));
  else errors.push(fieldError.required(config, 'exactly one of url or service is required'));
  errors.push(...validateReviewVersions(webhook?.conversionReviewVersions ?? [], reviews));
  return errors;
}

function validateUrl(url: string, path: string): FieldError[] {
  const form = '; desired format: https://host[/path]';
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed) return [fieldError.required(path, `url must be a valid URL${form}`)];
  const errors: FieldError[] = [];
  const refuse = (detail: string) => errors.push(fieldError.invalid(path, url, detail));
  if (parsed.protocol !== 'https:') refuse(`'https' is the only allowed URL scheme${form}`);
  if (parsed.host === '') refuse(`host must be specified${form}`);
  if (parsed.username !== '') refuse('user information is not permitted in the URL');
  if (parsed.hash !== '') refuse('fragments are not permitted in the URL');
  if (parsed.search !== '') refuse('query parameters are not permitted in the URL');
  return errors;
}

function validateService(
  service: { name: string; namespace: string; path?: string; port?: number },
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!service.name) errors.push(fieldError.required(`${path}.name`, 'service name is required'));
  if (!service.namespace) errors.push(fieldError.required(`${path}.namespace`, 'service namespace is required'));
  const port = service.port ?? 443;
  if (port < 1 || port > 65535)
    errors.push(fieldError.invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  if (service.path !== undefined && !service.path.startsWith('/'))
    errors.push(fieldError.invalid(`${path}.path`, service.path, "must start with a '/'"));
  return errors;
}

function validateReviewVersions(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(path)];
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) !== index)
      errors.push(fieldError.invalid(`${path}[${index}]`, version, 'duplicate version'));
    else
      for (const problem of dns1035Label(version))
        errors.push(fieldError.invalid(`${path}[${index}]`, version, problem));
  }
  if (!versions.includes('v1') && !versions.includes('v1beta1'))
    errors.push(fieldError.invalid(path, versions, 'must include at least one of v1, v1beta1'));
  return errors;
}
