import { resolveAmount } from '../amounts.ts';
import type { Pod } from '../kinds.ts';
import { isDeleted } from '../pods.ts';
import { isUpdated } from './daemon-pods.ts';
import { nodeFit } from './node-fit.ts';
import { type DaemonPlan, type DaemonView, emptyPlan } from './plan-daemons.ts';

/** Replaces outdated pods, at most maxUnavailable at a time, or with the new one next to the old with maxSurge. */
export function planUpdate(view: DaemonView): DaemonPlan {
  const { set, nodes } = view;
  const { maxSurge, maxUnavailable } = set.spec.updateStrategy.rollingUpdate ?? {};
  const desired = nodes.filter((node) => nodeFit(set, node).run).map(({ metadata }) => metadata.name);
  const surge = resolveAmount(maxSurge, desired.length, 'up');
  const unavailable = resolveAmount(maxUnavailable, desired.length, 'up');
  const names = [...new Set([...view.pods.keys(), ...desired])].sort();
  return surge === 0 ? replaceInPlace(view, names, Math.max(unavailable, 1)) : surgeOver(view, names, desired, surge);
}

/** Undefined if there are too many: that is corrected first. */
function pairOn(view: DaemonView, node: string): { current: Pod | undefined; old: Pod | undefined } | undefined {
  const lasting = (view.pods.get(node) ?? []).filter((pod) => !isDeleted(pod));
  const current = lasting.filter((pod) => isUpdated(view.set, view.hash, pod));
  const old = lasting.filter((pod) => !current.includes(pod));
  return current.length > 1 || old.length > 1 ? undefined : { current: current[0], old: old[0] };
}

function replaceInPlace(view: DaemonView, names: readonly string[], maxUnavailable: number): DaemonPlan {
  const plan = emptyPlan();
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const name of names) {
    const pair = pairOn(view, name);
    const only = pair && (pair.current && pair.old ? undefined : (pair.current ?? pair.old));
    if (!only || !view.isAvailable(only)) unavailable += 1;
    if (!only || only !== pair.old) continue;
    // An unavailable pod can be deleted at once.
    if (!view.isAvailable(only)) plan.delete.push(only);
    else candidates.push(only);
  }
  plan.delete.push(...candidates.slice(0, Math.max(0, maxUnavailable - unavailable)));
  return plan;
}

function surgeOver(
  view: DaemonView,
  names: readonly string[],
  desired: readonly string[],
  maxSurge: number,
): DaemonPlan {
  const plan = emptyPlan();
  const runs = new Set(desired);
  const candidates: string[] = [];
  const unwanted: Pod[] = [];
  let surging = 0;
  let available = 0;
  for (const name of names) {
    const pair = pairOn(view, name);
    if (!pair) {
      surging += 1;
      continue;
    }
    const { current, old } = pair;
    const serving = old ?? current;
    if (serving && view.isAvailable(serving)) available += 1;
    if (!old) continue;
    if (current) {
      if (view.isAvailable(current)) plan.delete.push(old);
      else surging += 1;
    } else if (!view.isAvailable(old)) {
      if (runs.has(name)) plan.create.push(name);
      else plan.delete.push(old);
    } else if (runs.has(name)) candidates.push(name);
    else unwanted.push(old);
  }
  plan.delete.push(...unwanted.slice(0, Math.max(0, available - desired.length)));
  plan.create.push(...candidates.slice(0, Math.max(0, maxSurge - surging)));
  return plan;
}
