import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import { find } from '@fairlead/apimachinery';
import { type ApiClient, sleep, systemClock } from '@fairlead/kube';
import { interrupted, timeLimit } from '../applications/watch/time-limit.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../command-line/command.ts';
import { formatAge } from '../duration.ts';
import { LiveRegion } from '../terminal/live-region.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isFinished, NodeLog, nameOf, nodeLines, whyOf } from './status-text.ts';

const pollMs = 300;

export async function findImage(client: ApiClient, text: string, namespace: string | undefined): Promise<PrePullImage> {
  const [first = '', second] = text.split('/');
  const key =
    second === undefined ? { namespace: namespace ?? 'default', name: first } : { namespace: first, name: second };
  const image = await find(client.get<PrePullImage>(prePullImageKind.type, key));
  if (!image)
    throw new CliError(`PrePullImage ${key.namespace}/${key.name} not found: fairlead prepull list lists them`);
  return image;
}

export function exitCodeOf(image: PrePullImage, { style }: Terminal): { readonly code: number; readonly line: string } {
  const { phase, summary } = image.status ?? {};
  if (phase === 'Failed')
    return { code: exitCodes.degraded, line: style.bad(`✖ ${nameOf(image)}: ${whyOf(image) || 'failed'}`) };
  return {
    code: exitCodes.ok,
    line: `${style.good('✔')} ${nameOf(image)}: ${summary?.completed ?? 0} nodes have ${image.spec?.image}`,
  };
}

/** Shows the progress of a PrePullImage until it has finished. Polls, so that no event can be missed. */
export async function followImage(
  client: ApiClient,
  terminal: Terminal,
  first: PrePullImage,
  timeoutMs: number | undefined,
): Promise<number> {
  const limit = timeLimit(terminal.stopped(), timeoutMs);
  const region = terminal.live ? new LiveRegion(terminal) : undefined;
  const log = new NodeLog();
  try {
    for (let image = first; !limit.signal.aborted; image = await findImage(client, nameOf(first), undefined)) {
      if (image.metadata.uid !== first.metadata.uid) throw new CliError(`${nameOf(first)} was deleted in the meantime`);
      region?.draw(nodeLines(image, terminal.style, terminal.rows, Date.now()));
      if (!region) for (const line of log.lines(image)) terminal.write(`${line}\n`);
      if (isFinished(image)) {
        const { code, line } = exitCodeOf(image, terminal);
        region?.end();
        terminal.write(`${line}\n`);
        return code;
      }
      await sleep(systemClock, pollMs, limit.signal).catch(() => {});
    }
  } finally {
    limit.end();
    region?.end();
  }
  if (!limit.expired) return interrupted;
  terminal.write(
    `${terminal.style.bad(`✖ ${nameOf(first)}: timeout after ${formatAge(timeoutMs ?? 0)}`)}; it continues: fairlead prepull status ${nameOf(first)} -w\n`,
  );
  return exitCodes.timeout;
}
