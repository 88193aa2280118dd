import { onCluster } from '../applications/cluster/on-cluster.ts';
import { resumeControllers } from '../backup/argocd-workloads.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { uninstall } from '../command-line/specs/install.ts';
import { deleteObjects, nameOfObject } from '../deploy/apply-objects.ts';
import { manifests } from '../deploy/manifests.ts';

/** `fairlead uninstall` */
export const run: Handler<typeof uninstall> = async (call) => {
  const { flags, environment, terminal } = call;
  const namespace = flags.namespace ?? environment.namespace;
  if (!flags.yes) {
    const answer = await terminal.ask(`remove Fairlead from namespace ${namespace}? Applications keep running. [y/N] `);
    if (answer === undefined) throw new CliError('nobody can be asked without a terminal: confirm with --yes');
    if (!/^y(?:es)?$/iu.test(answer)) {
      terminal.write('nothing was deleted\n');
      return exitCodes.error;
    }
  }
  return onCluster(call, async (client) => {
    let deleted = 0;
    // The objects of an installation with permissions in its namespace only are among these.
    await deleteObjects(client, manifests({ namespace, ha: false, scope: 'cluster' }), (outcome, object) => {
      deleted += 1;
      terminal.write(`${nameOfObject(object)} ${outcome}\n`);
    });
    for (const workload of await resumeControllers(client, namespace))
      terminal.write(`${nameOfObject(workload)} of Argo CD started again\n`);
    terminal.write(
      deleted === 0
        ? `no installation in namespace ${namespace}\n`
        : `${deleted} objects deleted; the CRDs, Applications, projects, settings and what they deployed are kept\n`,
    );
    return exitCodes.ok;
  });
};
