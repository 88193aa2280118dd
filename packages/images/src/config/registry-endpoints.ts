import { canonicalRepository, messageOf } from '@fairlead/apimachinery';
import { ImagesError } from '../images-error.ts';
import { canonicalName, type ImageReference } from '../reference/image-reference.ts';
import type { RegistryConfig, TagSortMode } from './registries-conf.ts';

/** The endpoint of a registry. */
export interface RegistryEndpoint {
  readonly prefix: string;
  readonly name: string;
  readonly apiUrl: string;
  readonly ping: boolean;
  /** A reference to credentials that all images on this registry use. */
  readonly credentials: string;
  readonly credsExpireMs: number;
  readonly tagSortMode: TagSortMode;
  readonly insecure: boolean;
  /** CA certificates in addition to those of the system, in PEM. */
  readonly ca: string | undefined;
  readonly defaultNamespace: string;
  /** Requests per second; 0 means no limit. */
  readonly limit: number;
  readonly isDefault: boolean;
}

export const dockerHub: RegistryEndpoint = {
  prefix: 'docker.io',
  name: 'Docker Hub',
  apiUrl: 'https://registry-1.docker.io',
  ping: true,
  credentials: '',
  credsExpireMs: 0,
  tagSortMode: 'unsorted',
  insecure: false,
  ca: undefined,
  defaultNamespace: 'library',
  limit: 10,
  isDefault: true,
};

/** The default without configuration: HTTPS at the host of the reference. */
export const inferEndpoint = (prefix: string): RegistryEndpoint => ({
  ...dockerHub,
  prefix,
  name: prefix,
  apiUrl: `https://${prefix}`,
  ping: false,
  defaultNamespace: '',
  limit: 20,
  isDefault: false,
});

/** `readFile` is called for certificates only; an insecure registry needs none. */
export function endpointOf(config: RegistryConfig, readFile: (path: string) => string): RegistryEndpoint {
  const { caFile, caData, ...rest } = config;
  return {
    ...rest,
    apiUrl: config.apiUrl.replace(/\/$/u, ''),
    ca: config.insecure ? undefined : authorities(config, readFile),
  };
}

function authorities({ name, caFile, caData }: RegistryConfig, readFile: (path: string) => string): string | undefined {
  const refuse = (what: string): never => {
    throw new ImagesError('InvalidSettings', `registries.conf: ${name}: ${what}`);
  };
  const checked = (text: string, what: string): string =>
    /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/u.test(text)
      ? text
      : refuse(`${what} holds no certificate`);
  const parts: string[] = [];
  if (caData !== '') parts.push(checked(caData, 'ca_data'));
  if (caFile !== '') {
    let text = '';
    try {
      text = readFile(caFile);
    } catch (error) {
      refuse(`ca_file ${caFile} cannot be read: ${messageOf(error)}`);
    }
    parts.push(checked(text, `ca_file ${caFile}`));
  }
  return parts.length > 0 ? parts.join('\n') : undefined;
}

/** Maps images to registries. */
export class RegistryEndpoints {
  readonly #endpoints = new Map<string, RegistryEndpoint>();
  #default: string;

  constructor(endpoints: Iterable<RegistryEndpoint> = [dockerHub]) {
    for (const endpoint of endpoints) this.#endpoints.set(endpoint.prefix, endpoint);
    const marked = [...this.#endpoints.values()].filter(({ isDefault }) => isDefault);
    if (marked.length > 1) {
      throw new ImagesError(
        'InvalidSettings',
        `registries.conf: ${marked.map(({ name }) => name).join(' and ')} are both the default: only one can be`,
      );
    }
    this.#default = marked[0]?.prefix ?? (this.#endpoints.has('') ? '' : dockerHub.prefix);
    if (!this.#endpoints.has(this.#default)) this.#endpoints.set(dockerHub.prefix, dockerHub);
  }

  /** The endpoint with the longest matching prefix that ends at a path segment; inferred from the host if there is none. */
  lookup(image: Pick<ImageReference, 'registry' | 'name'>): RegistryEndpoint {
    if (image.registry === '') return this.default;
    const names = [`${image.registry}/${image.name}`, canonicalName(image)];
    let best = this.#endpoints.get(image.registry);
    for (const endpoint of this.#endpoints.values()) {
      const { prefix } = endpoint;
      if (prefix === '' || (best && prefix.length <= best.prefix.length)) continue;
      if (names.some((name) => name === prefix || name.startsWith(`${prefix.replace(/\/$/u, '')}/`))) best = endpoint;
    }
    return best ?? inferEndpoint(image.registry);
  }

  get default(): RegistryEndpoint {
    return this.#endpoints.get(this.#default) ?? dockerHub;
  }

  setDefault(prefix: string): void {
    const next = this.#endpoints.get(prefix) ?? inferEndpoint(prefix);
    this.#endpoints.set(this.#default, { ...this.default, isDefault: false });
    this.#endpoints.set(prefix, { ...next, isDefault: true });
    this.#default = prefix;
  }

  /** Of the default registry if the prefix is empty. */
  setCredentials(prefix: string, credentials: string): void {
    const endpoint = prefix === '' ? this.default : (this.#endpoints.get(prefix) ?? inferEndpoint(prefix));
    this.#endpoints.set(endpoint.prefix, { ...endpoint, credentials });
  }

  prefixes(): string[] {
    return [...this.#endpoints.keys()];
  }

  get(prefix: string): RegistryEndpoint | undefined {
    return this.#endpoints.get(prefix);
  }
}

/** The name of the repository of an image on its registry. */
export function repositoryAt(endpoint: RegistryEndpoint, image: Pick<ImageReference, 'registry' | 'name'>): string {
  if (image.name.includes('/') || endpoint.defaultNamespace === '') {
    return image.registry === '' && endpoint.defaultNamespace === '' && endpoint.prefix === 'docker.io'
      ? canonicalRepository(image.registry, image.name).repository
      : image.name;
  }
  return `${endpoint.defaultNamespace}/${image.name}`;
}
