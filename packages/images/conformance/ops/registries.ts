import {
  isTimeSorted,
  parseRegistriesConf,
  type RegistryConfig,
  tagSortMode,
} from '../../src/config/registries-conf.ts';
import {
  endpointOf,
  inferEndpoint,
  type RegistryEndpoint,
  RegistryEndpoints,
} from '../../src/config/registry-endpoints.ts';
import type { Input, Ops } from './case.ts';

const parsed = (registry: RegistryConfig) => ({
  name: registry.name.trim(),
  api_url: registry.apiUrl,
  prefix: registry.prefix,
  ping: registry.ping,
  credentials: registry.credentials,
  creds_expire_seconds: registry.credsExpireMs / 1000,
  tag_sort_mode: registry.tagSortMode,
  insecure: registry.insecure,
  ca_file: registry.caFile,
  ca_data: registry.caData,
  default_namespace: registry.defaultNamespace,
  limit: registry.limit,
  default: registry.isDefault,
});

const shown = (endpoint: RegistryEndpoint) => ({
  name: endpoint.name,
  prefix: endpoint.prefix,
  api_url: endpoint.apiUrl,
  credentials: endpoint.credentials,
  creds_expire_seconds: endpoint.credsExpireMs / 1000,
  tag_sort_mode: endpoint.tagSortMode,
  insecure: endpoint.insecure,
  default_namespace: endpoint.defaultNamespace,
  limit: endpoint.limit,
  default: endpoint.isDefault,
  extra_roots: endpoint.ca !== undefined,
});

const configFrom = (input: Input): RegistryConfig => ({
  name: input['name'] ?? '',
  apiUrl: input['api_url'] ?? '',
  prefix: input['prefix'] ?? '',
  ping: input['ping'] ?? false,
  credentials: input['credentials'] ?? '',
  credsExpireMs: (input['creds_expire_seconds'] ?? 0) * 1000,
  tagSortMode: tagSortMode(input['tag_sort_mode'] ?? ''),
  insecure: input['insecure'] ?? false,
  caFile: input['ca_file'] ?? '',
  caData: input['ca_data'] ?? '',
  defaultNamespace: input['default_namespace'] ?? '',
  limit: input['limit'] ?? 0,
  isDefault: input['default'] ?? false,
});

const reader =
  (files: Record<string, string> | undefined) =>
  (path: string): string => {
    const text = files?.[path];
    if (text === undefined) throw new Error(`${path}: no such file`);
    return text;
  };

const endpointsFrom = (endpoints: Input[] | null | undefined): RegistryEndpoints =>
  endpoints
    ? new RegistryEndpoints(endpoints.map((one) => endpointOf(configFrom(one), reader(undefined))))
    : new RegistryEndpoints();

export const registryOps: Ops = {
  parse: ({ text }) => ({ registries: parseRegistriesConf(text).map(parsed) }),
  load({ text, files }) {
    if (text === null) throw new Error('there is no such file');
    const endpoints = new RegistryEndpoints(
      parseRegistriesConf(text).map((config) => endpointOf(config, reader(files))),
    );
    return {
      error: false,
      prefixes: endpoints.prefixes(),
      default: endpoints.default.prefix,
      count: endpoints.prefixes().length,
    };
  },
  lookup: ({ endpoints, image }) => shown(endpointsFrom(endpoints).lookup(image)),
  infer: ({ prefix }) => shown(inferEndpoint(prefix)),
  set_credentials({ endpoints, sets, image }) {
    const known = endpointsFrom(endpoints);
    for (const { prefix, credentials } of sets) known.setCredentials(prefix, credentials);
    return shown(known.lookup(image));
  },
  set_default({ prefix, endpoints }) {
    const known = endpointsFrom(endpoints);
    const before = known.default.prefix;
    known.setDefault(prefix);
    return { default: known.default.prefix, no_longer_default: known.get(before)?.isDefault ? null : before };
  },
  endpoint: ({ config, files }) => shown(endpointOf(configFrom(config), reader(files))),
  tag_sort_mode({ value }) {
    const mode = tagSortMode(value);
    return { mode, time_sorted: isTimeSorted(mode) };
  },
  list: ({ endpoints }) => ({ prefixes: endpointsFrom(endpoints).prefixes() }),
};
