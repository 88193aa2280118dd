import type { ServerAccess } from './find-server.ts';
import { HttpRestApi, type RestApi } from './rest-api.ts';
import { serverError } from './server-error.ts';

/** Calls `work` with the REST API of a server. Its errors become a CliError. */
export async function withServer<T>(access: ServerAccess, work: (api: RestApi) => Promise<T>): Promise<T> {
  const api = new HttpRestApi(access);
  try {
    return await work(api);
  } catch (error) {
    throw serverError(error, access);
  } finally {
    await api.close();
  }
}
