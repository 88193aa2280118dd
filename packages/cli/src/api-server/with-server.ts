import { CliError } from '../cli-error.ts';
import type { ServerAccess } from './find-server.ts';
import { HttpRestApi, type RestApi } from './rest-api.ts';
import { serverError } from './server-error.ts';
import { hasExpired } from './token-expiry.ts';

/** Calls `work` with the REST API of a server. Its errors become a CliError. */
export async function withServer<T>(access: ServerAccess, work: (api: RestApi) => Promise<T>): Promise<T> {
  const api = new HttpRestApi(await refreshed(access));
  try {
    return await work(api);
  } catch (error) {
    throw serverError(error, access);
  } finally {
    await api.close();
  }
}

/** The access with a new token if that of a session has expired, as argocd does it. The new tokens are stored. */
async function refreshed(access: ServerAccess): Promise<ServerAccess> {
  const { session, token = '', address } = access;
  if (!session || !hasExpired(token, Date.now())) return access;
  const { refreshSession } = await import('./sso.ts');
  const { token: _, ...open } = access;
  const api = new HttpRestApi(open);
  try {
    const { idToken, refreshToken = '' } = await refreshSession(api, session.refreshToken);
    session.save(idToken, refreshToken);
    return { ...access, token: idToken };
  } catch (error) {
    if (!(error instanceof CliError)) throw serverError(error, access);
    throw new CliError(
      `the session at ${address} has expired: ${error.message}. Sign in again with fairlead login ${address} --sso`,
      { cause: error },
    );
  } finally {
    await api.close();
  }
}
