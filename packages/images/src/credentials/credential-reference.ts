import { ImagesError } from '../images-error.ts';

/** The location of credentials for a registry. */
export type CredentialReference = { readonly registry: string } & (
  | {
      readonly type: 'secret' | 'pullsecret';
      readonly namespace: string;
      readonly name: string;
      readonly field: string;
    }
  | { readonly type: 'env'; readonly variable: string }
  | { readonly type: 'ext'; readonly path: string }
);

export const dockerConfigField = '.dockerconfigjson';

/** Reads `[registry=]secret:ns/name#field`, `pullsecret:ns/name`, `env:VARIABLE` or `ext:/path/of/script`. */
export function parseCredentialReference(text: string, requireRegistry = false): CredentialReference {
  const refuse = (): never => {
    throw new ImagesError(
      'InvalidCredentials',
      `${JSON.stringify(text)} names no credentials: write pullsecret:NAMESPACE/NAME, secret:NAMESPACE/NAME#FIELD, env:VARIABLE or ext:/SCRIPT`,
    );
  };
  const equals = text.indexOf('=');
  const registry = equals > 0 && equals < text.length - 1 ? text.slice(0, equals) : '';
  if (registry === '' && requireRegistry) refuse();
  const [type = '', definition = '', ...more] = (registry === '' ? text : text.slice(equals + 1)).split(':');
  if (definition === '' || more.length > 0) refuse();
  switch (type.toLowerCase()) {
    case 'env':
      return { type: 'env', registry, variable: definition };
    case 'ext':
      return { type: 'ext', registry, path: definition };
    case 'pullsecret':
      return { type: 'pullsecret', registry, ...(secretName(definition) ?? refuse()), field: dockerConfigField };
    case 'secret': {
      const [secret = '', field = '', ...rest] = definition.split('#');
      if (field === '' || rest.length > 0) refuse();
      return { type: 'secret', registry, ...(secretName(secret) ?? refuse()), field };
    }
    default:
      return refuse();
  }
}

function secretName(text: string): { namespace: string; name: string } | undefined {
  const [namespace = '', name = '', ...more] = text.split('/');
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name };
}

export interface CredentialPolicy {
  /** Images may use the environment and scripts of the updater. Off by default: the author of an Application is not the operator. */
  readonly allowProcessSources: boolean;
}

/**
 * Whether an image of an Application may use a reference: only Secrets in the Application's namespace. The check uses the parsed
 * reference, so case and spelling do not matter. References in the operator's registries.conf are not restricted.
 */
export function checkImageCredentials(
  reference: CredentialReference,
  applicationNamespace: string,
  { allowProcessSources }: CredentialPolicy,
): void {
  if (reference.type === 'env' || reference.type === 'ext') {
    if (allowProcessSources) return;
    throw new ImagesError(
      'CredentialsForbidden',
      `an image may not use ${reference.type}: credentials: they are the updater's own, and its operator has not allowed it`,
    );
  }
  if (reference.namespace !== applicationNamespace) {
    throw new ImagesError(
      'CredentialsForbidden',
      `the Secret ${reference.namespace}/${reference.name} is not in the Application's namespace ${applicationNamespace}`,
    );
  }
}
