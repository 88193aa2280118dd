import { ApiError } from '@fairlead/apimachinery';
import { TransportError } from '@fairlead/kube';
import { ContextsFile } from '../../api-server/contexts-file.ts';
import { accessTo, contextNamed } from '../../api-server/find-server.ts';
import { HttpRestApi } from '../../api-server/rest-api.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { logout } from '../../command-line/specs/session.ts';

/** `fairlead logout [CONTEXT]` */
export const run: Handler<typeof logout> = async ({ args, terminal, environment }) => {
  const file = ContextsFile.read(environment);
  const name = args[0] ?? file.current;
  if (name === '') throw new CliError(`no context is current in ${file.path}: fairlead context lists them`);
  const context = contextNamed(file, name);
  const token = file.token(context.user);
  if (token === '') {
    terminal.write(`${name} has no session\n`);
    return exitCodes.ok;
  }
  const access = accessTo(context.server, file.server(context.server) ?? {}, {}, token);
  const problem = await endSession(new HttpRestApi(access), token);
  file.forgetToken(context.user);
  terminal.write(
    `${terminal.style.good('✔')} signed out of ${context.server}: its token was removed from ${file.path}\n`,
  );
  if (problem !== undefined)
    terminal.writeError(
      `! the session was not ended on the server (${problem}): the token stays valid until it expires`,
    );
  return exitCodes.ok;
};

/** The server then refuses the token, too. Returns why this failed. */
async function endSession(api: HttpRestApi, token: string): Promise<string | undefined> {
  try {
    await api.call({ path: '/auth/logout', headers: { cookie: `argocd.token=${token}` } });
    return undefined;
  } catch (error) {
    // It answers with the page to go to.
    if (error instanceof ApiError) return error.code === 303 ? undefined : `status ${error.code}`;
    if (error instanceof TransportError) return error.code || error.message;
    throw error;
  } finally {
    await api.close();
  }
}
