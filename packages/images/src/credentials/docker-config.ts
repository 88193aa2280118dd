import { ImagesError } from '../images-error.ts';

export interface Login {
  readonly username: string;
  readonly password: string;
}

const wrong = (what: string): ImagesError => new ImagesError('InvalidCredentials', `the image pull secret ${what}`);
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The login for a registry in a `.dockerconfigjson`. */
export function loginFromDockerConfig(registryUrl: string, text: string): Login {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    throw wrong('is not JSON');
  }
  const auths = isMap(config) ? config['auths'] : undefined;
  if (!isMap(auths)) throw wrong('has no auths');
  const host = hostOf(registryUrl);
  const entry = Object.entries(auths).find(([registry]) => sameHost(hostOf(registry), host));
  if (!entry) throw wrong(`has no entry for ${host}`);
  return loginOf(entry[1], entry[0]);
}

/** Without scheme, path and trailing slash: Docker uses `https://index.docker.io/v1/` for its own registry. */
const hostOf = (text: string): string =>
  text
    .replace(/^https?:\/\//u, '')
    .replace(/\/.*$/su, '')
    .toLowerCase();

const hubHosts = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']);
const sameHost = (a: string, b: string): boolean => a === b || (hubHosts.has(a) && hubHosts.has(b));

function loginOf(entry: unknown, registry: string): Login {
  if (!isMap(entry)) throw wrong(`has an entry for ${registry} that is not a map`);
  const { auth, username, password } = entry;
  if (typeof auth !== 'string') {
    if (typeof username === 'string' && typeof password === 'string') return { username, password };
    throw wrong(`has no auth for ${registry}`);
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(auth) || auth.length % 4 !== 0)
    throw wrong(`has an auth for ${registry} that is not base64`);
  const login = splitLogin(Buffer.from(auth, 'base64').toString());
  if (!login) throw wrong(`has an auth for ${registry} that is not user:password`);
  return login;
}

/** `user:password`; a password may contain colons. */
export function splitLogin(text: string): Login | undefined {
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
