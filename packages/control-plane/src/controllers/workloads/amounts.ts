import type { Amount } from './kinds.ts';

/** A percentage is rounded up or down; any other value counts as 0. */
export function resolveAmount(amount: Amount | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof amount === 'number') return amount;
  const share = /^(\d+)%$/.exec(amount ?? '');
  if (!share) return 0;
  const exact = (Number(share[1]) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
