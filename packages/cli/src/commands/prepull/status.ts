import { elementAt } from '@fairlead/apimachinery';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import type { Handler } from '../../command-line/command.ts';
import type { prepullStatus } from '../../command-line/specs/prepull.ts';
import { durationFlag } from '../../duration.ts';
import { exitCodeOf, findImage, followImage } from '../../prepull/follow.ts';
import { isFinished, nodeLines, whyOf } from '../../prepull/status-text.ts';

/** `fairlead prepull status NAME` */
export const run: Handler<typeof prepullStatus> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  return onCluster(call, async (client) => {
    const image = await findImage(client, elementAt(args, 0), flags.namespace);
    if (flags.watch && !isFinished(image)) return followImage(client, terminal, image, timeoutMs);
    terminal.write(`${nodeLines(image, terminal.style, Number.POSITIVE_INFINITY, Date.now()).join('\n')}\n`);
    if (isFinished(image)) terminal.write(`${exitCodeOf(image, terminal).line}\n`);
    else if (whyOf(image)) terminal.write(`${whyOf(image)}\n`);
    return exitCodeOf(image, terminal).code;
  });
};
