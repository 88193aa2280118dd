import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { gitopsDeploymentKind } from '@fairlead/api';
import { fixedCredentials, HttpClient, paceCollections } from '@fairlead/kube';
import { createAll, deployment } from './deployments.ts';

export interface Flood {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
  readonly namespace: string;
  readonly count: number;
  readonly atOnce: number;
}

/**
 * One tenant that creates many GitOpsDeployments on request, from a separate process that is already running: neither its load nor its
 * start may count as waiting time of the others.
 */
export async function prepareFlood(options: Flood): Promise<() => Promise<void>> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)], { execArgv: ['--no-warnings'] });
  await once(child, 'message');
  return async () => {
    child.send('begin');
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the flood ended with ${code}`);
  };
}

if (import.meta.main) {
  paceCollections();
  const { server, ca, token, namespace, count, atOnce } = JSON.parse(process.argv[2]!) as Flood;
  const client = new HttpClient({ server, tls: { ca }, credentials: fixedCredentials({ token }) });
  const desired = Array.from({ length: count }, (_, i) => deployment(namespace, `d${i}`));
  // Its connections are open too.
  await Promise.all(
    Array.from({ length: atOnce }, () => client.list(gitopsDeploymentKind.type, { namespace, limit: 1 })),
  );
  process.send?.('ready');
  await once(process, 'message');
  await createAll(client, desired, atOnce);
  await client.close();
  process.exit(0);
}
