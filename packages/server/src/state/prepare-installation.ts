import { randomBytes, randomInt } from 'node:crypto';
import { formatTime, type Secret, secretType } from '@fairlead/apimachinery';
import type { Server } from '../server.ts';
import { base64 } from './server-state.ts';

/** Where the first password of the administrator is, until it is deleted. */
export const initialAdminSecret = 'argocd-initial-admin-secret';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-';

/** Creates what the first start needs: the key that signs tokens, and a password of `admin`. Returns the password if it is new. */
export async function prepareInstallation(server: Server): Promise<string | undefined> {
  const { state } = server;
  const missing: Record<string, string> = {};
  const data = state.secretData;
  if (!data['server.secretkey']) missing['server.secretkey'] = randomBytes(32).toString('base64');
  let password: string | undefined;
  if (!data['admin.password'] && (state.accounts.get('admin')?.enabled ?? true)) {
    password = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('');
    missing['admin.password'] = await server.passwords.hash(password);
    missing['admin.passwordMtime'] = formatTime(state.clock.now());
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: initialAdminSecret, namespace: state.namespace },
      type: 'Opaque',
      data: { password: base64(password) },
    };
    const known = state.secret(initialAdminSecret);
    const write = known
      ? state.client.replace(secretType, { ...known, data: secret.data ?? {} })
      : state.client.create(secretType, secret);
    await state.seen(state.secrets, await write);
  }
  if (Object.keys(missing).length > 0) await state.changeSecret(missing);
  return password;
}
