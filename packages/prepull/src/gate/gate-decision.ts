import type { PrePullImage } from '@fairlead/api';
import { formatDuration, parseDuration } from '@fairlead/apimachinery';

export interface GateSettings {
  /** Share of the nodes that must have the image, from 0 to 1. */
  readonly quorum: number;
  /** How long a rollout waits at most. */
  readonly deadlineMs: number;
}

export const usualGate: GateSettings = { quorum: 0.8, deadlineMs: 300_000 };

export interface GateVerdict {
  readonly open: boolean;
  /** One sentence on why. */
  readonly reason: string;
  /** How much sooner a pod starts on a node that has the image: the time that a pull took, on average. */
  readonly savedSeconds?: number;
  /** When to look again, while it is shut. */
  readonly againMs?: number;
}

/** Whether a rollout may begin: enough nodes have its image, or it has waited long enough. */
export function gateVerdict(image: PrePullImage, settings: GateSettings, now: number): GateVerdict {
  const { total = 0, completed = 0, failed = 0 } = image.status?.summary ?? {};
  const name = image.spec?.image ?? '';
  const waitedMs = now - Date.parse(image.metadata.creationTimestamp ?? '');
  const needed = Math.max(1, Math.ceil(total * settings.quorum));
  const share = `${completed} of ${total} nodes have ${name}`;
  if (total > 0 && completed >= needed) {
    const savedSeconds = averagePull(image);
    const gain = savedSeconds > 0 ? `; a pod starts about ${formatDuration(savedSeconds * 1000)} sooner there` : '';
    return { open: true, reason: `${share}${gain}`, savedSeconds };
  }
  if (waitedMs >= settings.deadlineMs) {
    const why = failed > 0 ? `, ${failed} could not pull it` : '';
    return {
      open: true,
      reason: `${share}${why}, and the deadline of ${formatDuration(settings.deadlineMs)} has passed`,
    };
  }
  const [condition] = image.status?.conditions ?? [];
  const problem =
    condition && !['Pulling', 'Waiting', 'Pulled'].includes(condition.reason) ? `: ${condition.message}` : '';
  return {
    open: false,
    reason:
      total === 0 && !problem ? `nodes are being asked to pull ${name}` : `${share}, ${needed} are needed${problem}`,
    againMs: Math.max(100, Math.min(2_000, settings.deadlineMs - waitedMs)),
  };
}

function averagePull({ status }: PrePullImage): number {
  const seconds = (status?.nodeStatus ?? []).flatMap(({ status: is, duration }) => {
    const ms = is === 'Completed' && duration ? parseDuration(duration) : undefined;
    return ms === undefined ? [] : [ms / 1000];
  });
  return seconds.length === 0 ? 0 : seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
}
