import { prePullImageKind, prePullPolicyKind } from '@fairlead/api';
import { must } from '@fairlead/apimachinery';
import { defaultLimits, type PullLimits } from '@fairlead/prepull';
import { CliError } from '../../cli-error.ts';
import type { Call, Handler } from '../../command-line/command.ts';
import type { prepullController } from '../../command-line/specs/prepull.ts';
import { installKinds } from '../../install.ts';
import { readPort } from '../../options.ts';
import { roles } from '../../roles/index.ts';
import { roleRun, runRoles } from '../../roles/run-role.ts';
import { runUntilStopped } from '../../roles/run-until-stopped.ts';

type Flags = Call<typeof prepullController.flags>['flags'];

/** `fairlead prepull controller` */
export const run: Handler<typeof prepullController> = async (call) => {
  const { flags, environment, terminal } = call;
  const limits = readLimits(flags);
  const port = readPort(flags['metrics-port']);
  return runUntilStopped(call, async (client, signal) => {
    await installKinds(client, [prePullImageKind, prePullPolicyKind], { own: false, signal });
    terminal.write(`pre-pull controller: ${limitText(limits)}; press Ctrl-C to stop\n`);
    const jobNamespace = flags['job-namespace'];
    const options = { limits, ...(jobNamespace === undefined ? {} : { jobNamespace }) };
    const run = roleRun(roles.prepull, options, () => 'leader');
    const leaseNamespace = flags['lease-namespace'] ?? environment.namespace;
    const status = port === undefined ? undefined : { port, ...(flags.host === undefined ? {} : { host: flags.host }) };
    await runRoles([run], { client, environment, terminal, leaseNamespace, status }, signal);
  });
};

function readLimits(flags: Flags): PullLimits {
  const read = (flag: keyof Flags & string): number | undefined => {
    const text = flags[flag];
    if (text === undefined) return undefined;
    if (!/^[1-9]\d*$/u.test(String(text))) throw new CliError(`invalid --${flag} ${text}: use a number of at least 1`);
    return Number(text);
  };
  const registry = read('max-pulls-per-registry');
  const tenant = read('max-pulls-per-namespace');
  return {
    cluster: read('max-concurrent-pulls') ?? must(defaultLimits.cluster, 'the default limit of the cluster'),
    node: read('max-pulls-per-node') ?? must(defaultLimits.node, 'the default limit of a node'),
    ...(registry === undefined ? {} : { registry }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

const limitText = ({ cluster, node, registry, tenant }: PullLimits): string =>
  [
    `${cluster} concurrent pulls`,
    `${node} per node`,
    registry && `${registry} per registry`,
    tenant && `${tenant} per namespace`,
  ]
    .filter(Boolean)
    .join(', ');
