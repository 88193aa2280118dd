import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  messageOf,
  objectAt,
  parseDuration,
  type Secret,
  secretValue,
  textAt,
} from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';

/** `oidc.config` of `argocd-cm`, with its references to Secrets resolved. */
export interface OidcConfig {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Claims that are asked for with the parameter `claims`. */
  readonly idTokenClaims: JsonObject | undefined;
  /** Certificates that the provider's is checked with, in PEM. */
  readonly rootCa: string;
  readonly pkce: boolean;
  readonly audiences: readonly string[];
  readonly acceptsNoAudience: boolean;
  readonly logoutUrl: string;
  readonly domainHint: string;
  /** A token that ends sooner than this is refreshed. */
  readonly refreshBeforeMs: number;
  /** Where the groups of a user are asked for; undefined if they are in the token. */
  readonly userInfo: { readonly url: string; readonly cacheMs: number } | undefined;
  /** `oidc.tls.insecure.skip.verify`. */
  readonly insecureTls: boolean;
}

type Data = Readonly<Record<string, string>>;

/** A setting that cannot be used. The message names the key. */
export class OidcConfigError extends Error {
  constructor(message: string) {
    super(`oidc.config in ConfigMap argocd-cm: ${message}`);
    this.name = 'OidcConfigError';
  }
}

const defaultScopes = ['openid', 'profile', 'email', 'groups'];

/** Undefined if there is none. Throws an OidcConfigError for one that cannot be used. */
export function readOidcConfig(
  settings: Data,
  secretNamed: (name: string) => Secret | undefined,
): OidcConfig | undefined {
  const text = settings['oidc.config'] ?? '';
  if (text.trim() === '') return undefined;
  const config = resolved(parse(text), secretNamed);
  const [issuer, clientId, cliClientId] = [
    textAt(config, 'issuer'),
    textAt(config, 'clientID'),
    textAt(config, 'cliClientID'),
  ];
  if (!URL.canParse(issuer)) throw new OidcConfigError('issuer is not a URL');
  if (clientId === '') throw new OidcConfigError('clientID is not set');
  const audiences = texts(config, 'allowedAudiences');
  const scopes = texts(config, 'requestedScopes');
  return {
    name: textAt(config, 'name'),
    issuer,
    clientId,
    clientSecret: textAt(config, 'clientSecret'),
    scopes: scopes.length > 0 ? scopes : defaultScopes,
    idTokenClaims: objectAt(config, 'requestedIDTokenClaims'),
    rootCa: textAt(config, 'rootCA'),
    pkce: config['enablePKCEAuthentication'] === true,
    audiences: audiences.length > 0 ? audiences : [clientId, ...(cliClientId === '' ? [] : [cliClientId])],
    acceptsNoAudience: config['skipAudienceCheckWhenTokenHasNoAudience'] === true,
    logoutUrl: textAt(config, 'logoutURL'),
    domainHint: textAt(config, 'domainHint').trim(),
    refreshBeforeMs: duration(config, 'refreshTokenThreshold'),
    userInfo: userInfoOf(config, issuer),
    insecureTls: settings['oidc.tls.insecure.skip.verify'] === 'true',
  };
}

function userInfoOf(config: JsonObject, issuer: string): OidcConfig['userInfo'] {
  const path = textAt(config, 'userInfoPath');
  if (config['enableUserInfoGroups'] !== true || path === '') return undefined;
  const url = `${textAt(config, 'userInfoBaseURL') || issuer}${path}`;
  if (!URL.canParse(url)) throw new OidcConfigError('userInfoBaseURL is not a URL');
  return { url, cacheMs: duration(config, 'userInfoCacheExpiration') };
}

function parse(text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(JSON.stringify(readYaml(text) ?? null));
  } catch (error) {
    throw new OidcConfigError(`not YAML: ${messageOf(error)}`);
  }
  if (!isObject(value)) throw new OidcConfigError('must be a map');
  return value;
}

const texts = (config: JsonObject, field: string): string[] =>
  listAt(config, field).filter((item) => typeof item === 'string');

function duration(config: JsonObject, field: string): number {
  const text = textAt(config, field);
  const ms = text === '' ? 0 : parseDuration(text);
  if (ms === undefined) throw new OidcConfigError(`${field} is not a duration`);
  return ms;
}

/** `$key` is a key of `argocd-secret`, `$name:key` one of another Secret that is part of Argo CD. */
function resolved(config: JsonObject, secretNamed: (name: string) => Secret | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([field, value]) => {
      if (typeof value !== 'string' || !value.startsWith('$')) return [field, value];
      const [first = '', key] = value.slice(1).split(/:(.*)/su);
      const secret = secretNamed(key === undefined ? 'argocd-secret' : first);
      const isReadable = key === undefined || secret?.metadata.labels?.['app.kubernetes.io/part-of'] === 'argocd';
      const found = secret && isReadable ? secretValue(secret, key ?? first) : undefined;
      if (found === undefined) throw new OidcConfigError(`${field} refers to ${value}, which does not exist`);
      return [field, found.trim()];
    }),
  );
}
