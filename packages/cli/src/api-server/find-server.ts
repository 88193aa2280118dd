import { readFileSync } from 'node:fs';
import { type JsonObject, messageOf, textAt } from '@fairlead/apimachinery';
import { CliError } from '../cli-error.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Environment } from '../environment.ts';
import { ContextsFile, type ServerContext } from './contexts-file.ts';

/** The flags that choose a server and how to connect to it. */
export interface ServerFlags {
  readonly server?: string;
  readonly 'server-context'?: string;
  readonly 'auth-token'?: string;
  readonly 'server-crt'?: string;
  readonly insecure?: boolean;
  readonly plaintext?: boolean;
}

/** How to connect to an API server, and as whom. */
export interface ServerAccess {
  /** As it was given: `HOST:PORT`. */
  readonly address: string;
  readonly url: string;
  readonly tls: { readonly insecure?: boolean; readonly ca?: string };
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly token?: string;
  /** The session of an OpenID provider that the token is of. */
  readonly session?: RefreshableSession;
}

/** A session in the file of contexts whose token can be replaced when it has expired. */
export interface RefreshableSession {
  readonly refreshToken: string;
  save(token: string, refreshToken: string): void;
}

/** Why a server is used: by a flag, by the environment or by the current context. */
export type ServerSource = 'flag' | 'environment' | 'context';

/** The server that flags, the environment or the current context name, in this order. */
export function findServer(
  flags: ServerFlags,
  environment: Environment,
): { readonly access: ServerAccess; readonly from: ServerSource } | undefined {
  const named = flags.server ?? environment.server;
  const from = flags.server !== undefined || flags['server-context'] !== undefined ? 'flag' : 'environment';
  const token = flags['auth-token'] ?? environment.authToken;
  if (named !== undefined && flags['server-context'] === undefined) {
    const address = hostOf(named);
    const file = ContextsFile.read(environment);
    // A token is only sent to the server that it is for.
    const context = contextFor(file, address);
    const access = accessTo(address, file.server(address) ?? {}, flags, token ?? tokenOf(file, context));
    return { access: token === undefined ? withSession(access, file, context) : access, from };
  }
  const file = ContextsFile.read(environment);
  const name = flags['server-context'] ?? file.current;
  if (name === '') return undefined;
  const context = contextNamed(file, name);
  const server = file.server(context.server);
  if (!server) throw new CliError(`context ${name} in ${file.path} names server ${context.server}, which is not there`);
  if (server['core'] === true) return undefined;
  const access = accessTo(context.server, server, flags, token ?? tokenOf(file, context));
  return {
    access: token === undefined ? withSession(access, file, context) : access,
    from: flags['server-context'] === undefined ? 'context' : 'flag',
  };
}

/** The current context if it is for that server, else the first that is. */
const contextFor = (file: ContextsFile, address: string): ServerContext | undefined => {
  const all = file.contexts.filter(({ server }) => server === address);
  return all.find(({ name }) => name === file.current) ?? all[0];
};

const tokenOf = (file: ContextsFile, context: ServerContext | undefined): string | undefined =>
  (context && file.token(context.user)) || undefined;

function withSession(access: ServerAccess, file: ContextsFile, context: ServerContext | undefined): ServerAccess {
  const refreshToken = context ? file.refreshToken(context.user) : '';
  if (!context || refreshToken === '') return access;
  return {
    ...access,
    session: { refreshToken, save: (token, next) => file.saveTokens(context.user, token, next) },
  };
}

export function contextNamed(file: ContextsFile, name: string): ServerContext {
  const found = file.contexts.find((one) => one.name === name);
  if (found) return found;
  const names = file.contexts.map((one) => one.name);
  throw new CliError(`context ${name} is not in ${file.path}${didYouMean(name, names)}: fairlead context lists them`);
}

/** argocd accepts addresses with a scheme, too. */
export const hostOf = (text: string): string => text.replace(/^https?:\/\//u, '').replace(/\/+$/u, '');

/** How to connect, from an entry of `servers` and flags. */
export function accessTo(
  address: string,
  server: JsonObject,
  flags: ServerFlags,
  token: string | undefined,
): ServerAccess {
  const plain = flags.plaintext ?? server['plain-text'] === true;
  const root = textAt(server, 'grpc-web-root-path').replace(/^\/*|\/*$/gu, '');
  const stored = fromBase64(textAt(server, 'certificate-authority-data'));
  const ca = flags['server-crt'] === undefined ? stored : readFile('server-crt', flags['server-crt']);
  const [cert, key] = ['client-certificate-data', 'client-certificate-key-data'].map((name) =>
    fromBase64(textAt(server, name)),
  );
  return {
    address,
    url: `${plain ? 'http' : 'https'}://${address}${root === '' ? '' : `/${root}`}`,
    tls: {
      ...((flags.insecure ?? server['insecure'] === true) ? { insecure: true } : {}),
      ...(ca ? { ca } : {}),
    },
    ...(cert && key ? { certificate: { cert, key } } : {}),
    ...(token === undefined ? {} : { token }),
  };
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString();

function readFile(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`--${flag} ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
