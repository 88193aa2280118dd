import type { Agent } from '@fairlead/client';
import { ageText } from '../../lib/age.ts';
import { t } from '../../messages/index.ts';

/** The status that the agent is shown with. */
export function agentStatus({ connected, liveAccess, data, blocked, drained }: Agent): string {
  if (blocked || drained) return 'Suspended';
  if (!connected) return 'Degraded';
  return liveAccess && (data === undefined || data === 'Fresh') ? 'Healthy' : 'Progressing';
}

export function agentText({ connected, blocked, drained }: Agent): string {
  if (blocked) return t.agents.blocked;
  if (drained) return t.agents.drained;
  return connected ? t.agents.connected : t.agents.disconnected;
}

const soonMs = 7 * 86_400_000;

export function certificateText(
  expiry: string | undefined,
  now: number,
): { text: string; isSoon: boolean } | undefined {
  if (expiry === undefined) return undefined;
  const left = Date.parse(expiry) - now;
  return left <= 0
    ? { text: t.agents.expired, isSoon: true }
    : { text: t.agents.expiresIn(ageText(left / 1_000)), isSoon: left < soonMs };
}
