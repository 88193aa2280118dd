import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import { isAlreadyExists, messageOf, parseImageReference } from '@fairlead/apimachinery';
import { uniqueName } from '@fairlead/prepull';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { prepullRun } from '../../command-line/specs/prepull.ts';
import { durationFlag } from '../../duration.ts';
import { followImage } from '../../prepull/follow.ts';

/** `fairlead prepull run IMAGE` */
export const run: Handler<typeof prepullRun> = async (call) => {
  const { flags, args, terminal } = call;
  const [image = ''] = args;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  const namespace = flags.namespace ?? 'default';
  const prePull: PrePullImage = {
    apiVersion: 'kwarm.io/v1alpha1',
    kind: 'PrePullImage',
    metadata: { name: flags.name ?? nameFor(image), namespace },
    spec: {
      image,
      ...nodesOf(flags.node ?? [], flags.selector),
      ...(flags.secret ? { imagePullSecrets: flags.secret.map((name) => ({ name })) } : {}),
    },
  };
  return onCluster(call, async (client) => {
    let made: PrePullImage;
    try {
      made = await client.create(prePullImageKind.type, prePull, { fieldValidation: 'Strict' });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      throw new CliError(
        `PrePullImage ${namespace}/${prePull.metadata.name} already exists: fairlead prepull status ${namespace}/${prePull.metadata.name} shows it; choose another name with --name`,
      );
    }
    if (!flags.async) return followImage(client, terminal, made, timeoutMs);
    terminal.write(
      `${namespace}/${made.metadata.name} created: fairlead prepull status ${namespace}/${made.metadata.name} -w shows its progress\n`,
    );
    return exitCodes.ok;
  });
};

/** The last part of the image name, with a suffix that makes each call unique. */
function nameFor(image: string): string {
  try {
    const { repository, tag, digest } = parseImageReference(image);
    const version = tag ?? (digest === undefined ? 'latest' : 'digest');
    return uniqueName(`${repository.split('/').at(-1)}-${version}`, image, String(Date.now()));
  } catch (error) {
    throw new CliError(`${messageOf(error)}; use an image such as registry.example.com/shop/web:2.0`);
  }
}

function nodesOf(
  names: readonly string[],
  selector: string | undefined,
): Pick<NonNullable<PrePullImage['spec']>, 'nodes'> {
  if (names.length > 0 && selector !== undefined)
    throw new CliError('--node and --selector exclude each other: use one of them');
  if (names.length > 0) return { nodes: { names: [...names] } };
  if (selector === undefined) return {};
  const pairs = selector.split(',').map((pair) => pair.split('='));
  if (pairs.some((pair) => pair.length !== 2 || !pair[0]))
    throw new CliError(`invalid --selector ${selector}: use KEY=VALUE,KEY=VALUE`);
  return { nodes: { selector: { matchLabels: Object.fromEntries(pairs) as Record<string, string> } } };
}
