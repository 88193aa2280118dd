import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  basicToken,
  type RepositoryCredentials,
  secretsOf,
  type Trust,
  withoutProxy,
} from '../credentials/credentials.ts';
import { addressRefused, permittedAddresses } from '../network/checked-lookup.ts';
import { SourceError } from '../source-error.ts';
import type { GitAccess } from './git-process.ts';
import type { GitUrl } from './git-url.ts';

const open: GitAccess = { environment: {}, secrets: [] };

/**
 * Runs a `git` command with credentials in files that only this user can read and that are removed when the command ends. git gets
 * only the paths: no secret is an argument or in the environment.
 */
export async function withAccess<T>(
  {
    folder,
    from,
    credentials,
    trust,
  }: { folder: string; from: GitUrl; credentials?: RepositoryCredentials | undefined; trust: Trust },
  use: (access: GitAccess) => Promise<T>,
): Promise<T> {
  const { networks } = credentials ?? {};
  if (from.transport === 'local' && networks) throw addressRefused(from.url);
  // With a proxy, the proxy connects and resolves the name.
  const addresses =
    networks && !credentials?.proxy && from.host ? await permittedAddresses(from.host, networks) : undefined;
  if (from.transport === 'local' || from.transport === 'git') return use(open);
  const ca = credentials?.ca ?? trust.certificates?.(from.host ?? '');
  if (from.transport === 'http' && !credentials && !ca) return use(open);
  const dir = await mkdtemp(join(folder, 'access-'));
  try {
    const put = async (name: string, content: string): Promise<string> => {
      await writeFile(join(dir, name), content, { mode: 0o600 });
      return join(dir, name);
    };
    const environment =
      from.transport === 'ssh'
        ? await sshEnvironment(from, credentials, trust, put, addresses)
        : await httpEnvironment(from, credentials, ca, put, addresses);
    return await use({ environment, secrets: secretsOf(credentials) });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

type Put = (name: string, content: string) => Promise<string>;

async function httpEnvironment(
  from: GitUrl,
  credentials: Partial<RepositoryCredentials> = {},
  ca: string | undefined,
  put: Put,
  addresses: readonly string[] | undefined,
): Promise<Record<string, string>> {
  const { password, bearerToken, clientCertificate, insecure, proxy, noProxy, forceBasicAuth } = credentials;
  const username = credentials.username || from.username || 'git';
  const { origin, protocol, host } = new URL(from.url);
  const http: [string, string][] = [];
  let helper = '';
  const header = bearerToken
    ? `Bearer ${bearerToken}`
    : password && forceBasicAuth
      ? `Basic ${basicToken(username, password)}`
      : undefined;
  if (header) {
    http.push(['extraHeader', `Authorization: ${header}`]);
  } else if (password) {
    // git's own helper is limited to this scheme and host.
    const line = `${protocol}//${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}\n`;
    helper = `store --file=${shellQuoted(await put('passwords', line))}`;
  }
  const authority = ca ? await put('ca.pem', ca) : undefined;
  if (authority) http.push(['sslCAInfo', authority]);
  if (clientCertificate) {
    http.push(['sslCert', await put('client.pem', clientCertificate.cert)]);
    http.push(['sslKey', await put('client.key', clientCertificate.key)]);
  }
  if (insecure) http.push(['sslVerify', 'false']);
  if (proxy) http.push(['proxy', proxy]);
  // The checked address, not what the name may resolve to later.
  if (addresses) http.push(['curloptResolve', pinned(new URL(from.url), addresses)]);
  const config = [
    '[safe]\n\tdirectory = *\n[credential]\n\thelper =\n',
    helper === '' ? '' : `\thelper = ${quoted(helper)}\n`,
    `[http ${quoted(`${origin}/`)}]\n`,
    ...http.map(([key, value]) => `\t${key} = ${quoted(value)}\n`),
  ];
  return {
    GIT_CONFIG_GLOBAL: await put('gitconfig', config.join('')),
    // Environment variables would take precedence over the configuration.
    ...(authority ? { GIT_SSL_CAINFO: authority } : {}),
    ...(proxy ? { NO_PROXY: withoutProxy(noProxy), no_proxy: withoutProxy(noProxy) } : {}),
  };
}

async function sshEnvironment(
  from: GitUrl,
  credentials: Partial<RepositoryCredentials> = {},
  trust: Trust,
  put: Put,
  addresses: readonly string[] | undefined,
): Promise<Record<string, string>> {
  const { sshPrivateKey, knownHosts = '', insecureIgnoreHostKey, proxy } = credentials;
  if (proxy) throw new SourceError('NotSupported', `${from.url}: a proxy for SSH is not supported: use https://`);
  const hosts = await put('known_hosts', `${trust.knownHosts?.() ?? ''}\n${knownHosts}\n`);
  const key = sshPrivateKey && (await put('key', `${sshPrivateKey.replaceAll('\r\n', '\n').trimEnd()}\n`));
  const settings: Record<string, string> = {
    ...(key ? { IdentityFile: sshQuoted(key), IdentitiesOnly: 'yes' } : { IdentityFile: 'none' }),
    IdentityAgent: 'none',
    UserKnownHostsFile: sshQuoted(hosts),
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: insecureIgnoreHostKey ? 'no' : 'yes',
    UpdateHostKeys: 'no',
    CheckHostIP: 'no',
    BatchMode: 'yes',
    PreferredAuthentications: 'publickey',
    ForwardAgent: 'no',
    ClearAllForwardings: 'yes',
    PermitLocalCommand: 'no',
    ProxyCommand: 'none',
    ControlPath: 'none',
    ConnectTimeout: '15',
    ServerAliveInterval: '15',
    LogLevel: 'ERROR',
    ...(addresses?.[0] ? { HostName: addresses[0], HostKeyAlias: hostKeyName(from) } : {}),
    ...(from.username === undefined ? { User: credentials.username || 'git' } : {}),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  const config = await put('ssh_config', lines.join(''));
  return { GIT_SSH_COMMAND: `ssh -F ${shellQuoted(config)}`, GIT_SSH_VARIANT: 'ssh' };
}

const pinned = ({ hostname, port, protocol }: URL, addresses: readonly string[]): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}:${addresses.map((ip) => (ip.includes(':') ? `[${ip}]` : ip)).join(',')}`;

/** In the format of a known_hosts file. */
const hostKeyName = ({ host = '', port }: GitUrl): string => (port === undefined ? host : `[${host}]:${port}`);

/** git passes these to a shell. They contain only paths that we created. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const sshQuoted = (path: string): string => `"${path.replaceAll('%', '%%')}"`;

function quoted(value: string): string {
  if (/[\n\r\0]/u.test(value))
    throw new SourceError('AuthenticationFailed', 'stored credentials must not contain a line break');
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
