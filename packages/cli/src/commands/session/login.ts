import { readFileSync } from 'node:fs';
import { elementAt, type JsonObject, messageOf, textAt } from '@fairlead/apimachinery';
import { ContextsFile } from '../../api-server/contexts-file.ts';
import { accessTo, hostOf, type ServerAccess } from '../../api-server/find-server.ts';
import type { RestApi } from '../../api-server/rest-api.ts';
import { HttpRestApi } from '../../api-server/rest-api.ts';
import { trustProblem } from '../../api-server/server-error.ts';
import { withServer } from '../../api-server/with-server.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { login } from '../../command-line/specs/session.ts';

type LoginCall = Call<typeof login.flags>;

/** `fairlead login SERVER` */
export const run: Handler<typeof login> = async (call) => {
  const { flags, args, terminal, environment } = call;
  const given = elementAt(args, 0);
  const address = hostOf(given);
  const server = await trustedServer(call, address, /^http:/u.test(given));
  const { token, refreshToken } = await withServer(accessTo(address, server, {}, undefined), (api) =>
    signIn(api, call, address),
  );
  const user = await withServer(accessTo(address, server, {}, token), (api) =>
    api.call({ path: '/api/v1/session/userinfo' }),
  );
  const name = flags.name ?? address;
  const file = ContextsFile.read(environment);
  file.saveLogin(name, server, token, refreshToken);
  terminal.write(
    `${terminal.style.good('✔')} signed in to ${address} as ${textAt(user, 'username')}; context ${name} in ${file.path} is now current\n`,
  );
  return exitCodes.ok;
};

/** The entry of the server in the file of contexts. On a terminal, asks whether to accept a certificate that is not trusted. */
async function trustedServer({ flags, terminal }: LoginCall, address: string, isHttp: boolean): Promise<JsonObject> {
  const ca = flags['server-crt'];
  const server: JsonObject = {
    'grpc-web-root-path': flags['grpc-web-root-path'] ?? '',
    server: address,
    ...(flags.insecure ? { insecure: true } : {}),
    ...(flags.plaintext || isHttp ? { 'plain-text': true } : {}),
    ...(flags['grpc-web'] ? { 'grpc-web': true } : {}),
    ...(ca === undefined ? {} : { 'certificate-authority-data': readBase64(ca) }),
  };
  const access = accessTo(address, server, {}, undefined);
  const problem = await certificateProblem(access);
  if (problem === undefined) return server;
  const answer = await terminal.ask(
    `The certificate of ${address} is not trusted: ${problem}. Accept it without checking? [y/N] `,
  );
  if (answer !== undefined && /^y(es)?$/iu.test(answer)) return { ...server, insecure: true };
  // Reported as by every other command.
  return server;
}

async function certificateProblem(access: ServerAccess): Promise<string | undefined> {
  const api = new HttpRestApi(access);
  try {
    await api.call({ path: '/api/version' });
    return undefined;
  } catch (error) {
    return trustProblem(error);
  } finally {
    await api.close();
  }
}

function readBase64(path: string): string {
  try {
    return readFileSync(path).toString('base64');
  } catch (error) {
    throw new CliError(`--server-crt ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

interface SignedIn {
  readonly token: string;
  readonly refreshToken?: string;
}

async function signIn(api: RestApi, call: LoginCall, address: string): Promise<SignedIn> {
  const { flags, terminal } = call;
  if (flags.sso) {
    const { signInWithProvider } = await import('../../api-server/sso.ts');
    const { idToken, ...rest } = await signInWithProvider(api, call);
    return { token: idToken, ...rest };
  }
  const username = flags.username ?? (await terminal.ask('Username: ')) ?? 'admin';
  const password = await passwordFrom(call);
  try {
    const answer = await api.call({ method: 'POST', path: '/api/v1/session', body: { username, password } });
    return { token: textAt(answer, 'token') };
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new CliError(`${address} refuses the password of ${username}: ${messageOf(error)}`, { cause: error });
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 401 || error.code === 403);

async function passwordFrom({ flags, terminal }: LoginCall): Promise<string> {
  if (flags['password-stdin']) return (await terminal.readInput()).replace(/\r?\n$/u, '');
  const password = flags.password ?? (await terminal.askSecret('Password: '));
  if (password === undefined)
    throw new CliError('cannot ask for the password without a terminal: add --password-stdin');
  return password;
}
