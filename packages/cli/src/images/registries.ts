import { readFileSync } from 'node:fs';
import { messageOf } from '@fairlead/apimachinery';
import {
  type CredentialSources,
  httpRegistries,
  ImageRegistries,
  type Login,
  type RegistryEndpoint,
  readRegistries,
  runScript,
} from '@fairlead/images';
import { systemClock, systemRandom } from '@fairlead/kube';
import { HttpSession } from '@fairlead/source/oci';
import { CliError } from '../cli-error.ts';

export type { Login };

export function readRegistriesConf(path: string | undefined): string {
  if (path === undefined) return '';
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Registries for a read-only command. */
export function openRegistries(options: {
  readonly conf: string;
  readonly more?: readonly RegistryEndpoint[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly secret: CredentialSources['secret'];
  readonly allowProcessSources: boolean;
}): { readonly registries: ImageRegistries; close(): Promise<void> } {
  const http = new HttpSession({ clock: systemClock, environment: options.environment, random: systemRandom });
  const registries = new ImageRegistries({
    endpoints: readRegistries(options.conf, options.more),
    credentials: { secret: options.secret, environment: options.environment, runScript },
    policy: { allowProcessSources: options.allowProcessSources },
    clock: systemClock,
    open: httpRegistries({ http, clock: systemClock }),
  });
  return { registries, close: () => http.close() };
}
