import { textAt } from '@fairlead/apimachinery';
import type { CallApi } from '../../api-server/rest-api.ts';
import { CliError } from '../../cli-error.ts';

/** The account that a flag names, or the one that is signed in. */
export async function accountOf(api: CallApi, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const user = await api.call({ path: '/api/v1/session/userinfo' });
  if (textAt(user, 'iss') === 'argocd') return textAt(user, 'username');
  throw new CliError('you have no local account: name one with --account');
}
