import { dns1123Subdomain, dns1123SubdomainWithUnderscore, fieldError } from '@fairlead/apimachinery';
import { legacyAddress } from '../../cluster/address.ts';
import { type Findings, invalid } from '../checks.ts';
import type { PodSpec } from './types.ts';

export function* dnsConfig(spec: PodSpec, path: string): Findings {
  const config = spec.dnsConfig;
  if (spec.dnsPolicy === 'None') {
    if (!config) return yield fieldError.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
    if (!config.nameservers?.length) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return yield fieldError.required(`${path}.nameservers`, detail);
    }
  }
  const servers = config?.nameservers ?? [];
  if (servers.length > 3) {
    yield fieldError.invalid(`${path}.nameservers`, servers, 'must not have more than 3 nameservers');
  }
  for (const [index, server] of servers.entries()) yield* legacyAddress(`${path}.nameservers[${index}]`, server);
  const searches = config?.searches ?? [];
  if (searches.length > 32) {
    yield fieldError.invalid(`${path}.searches`, searches, 'must not have more than 32 search paths');
  }
  if (searches.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    yield fieldError.invalid(`${path}.searches`, searches, detail);
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    const domain = search.replace(/\.$/, '');
    yield* invalid(`${path}.searches[${index}]`, domain, dns1123SubdomainWithUnderscore(domain));
  }
  for (const [index, option] of (config?.options ?? []).entries()) {
    if (!option.name) yield fieldError.required(`${path}.options[${index}]`, 'must not be empty');
  }
}

export function* hostAliases(spec: PodSpec, path: string): Findings {
  for (const [index, { ip = '', hostnames }] of (spec.hostAliases ?? []).entries()) {
    yield* legacyAddress(`${path}[${index}].ip`, ip);
    for (const [at, name] of (hostnames ?? []).entries()) {
      yield* invalid(`${path}[${index}].hostnames[${at}]`, name, dns1123Subdomain(name));
    }
  }
}

export function* hostnameOverride(spec: PodSpec, path: string): Findings {
  const name = spec.hostnameOverride;
  if (name == null) return;
  if (spec.setHostnameAsFQDN) yield fieldError.forbidden(path, 'may not be specified when setHostnameAsFQDN is true');
  if (spec.hostNetwork) yield fieldError.forbidden(path, 'may not be specified when hostNetwork is true');
  if (name.length > 64) yield fieldError.tooLong(path, 64);
  yield* invalid(path, name, dns1123Subdomain(name));
}
