import { onCluster } from '../applications/cluster/on-cluster.ts';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { check } from '../command-line/specs/install.ts';
import { checkAfter, checkBefore } from '../deploy/check-installation.ts';

/** `fairlead check` */
export const run: Handler<typeof check> = async (call) => {
  const { flags, environment, terminal } = call;
  const namespace = flags.namespace ?? environment.namespace;
  return onCluster(call, async (client) => {
    const results = [
      ...(await checkBefore(client, namespace)),
      ...(flags.pre ? [] : await checkAfter(client, namespace)),
    ];
    for (const { about, problem } of results) {
      terminal.write(problem === undefined ? `ok      ${about}\n` : `failed  ${about}: ${problem}\n`);
    }
    const failed = results.filter(({ problem }) => problem !== undefined).length;
    terminal.write(failed === 0 ? 'all checks passed\n' : `${failed} of ${results.length} checks failed\n`);
    return failed === 0 ? exitCodes.ok : exitCodes.degraded;
  });
};
