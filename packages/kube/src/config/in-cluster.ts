import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import { tokenFileCredentials } from './token-file.ts';

/** Access from inside a pod, with its service account. */
export async function inClusterAccess(
  options: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly clock?: Clock;
    readonly directory?: string;
  } = {},
): Promise<ClusterAccess> {
  const { env = process.env, clock = systemClock } = options;
  const directory = options.directory ?? '/var/run/secrets/kubernetes.io/serviceaccount';
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port)
    throw new Error('not inside a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set');
  const [ca, namespace] = await Promise.all([
    readFile(join(directory, 'ca.crt'), 'utf8'),
    readFile(join(directory, 'namespace'), 'utf8').catch(() => 'default'),
  ]);
  return {
    client: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tls: { ca },
      credentials: tokenFileCredentials(join(directory, 'token'), clock),
      ...(options.clock ? { clock: options.clock } : {}),
    },
    namespace: namespace.trim(),
    context: 'in-cluster',
  };
}
