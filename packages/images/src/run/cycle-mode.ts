import type { RuntimeSettings } from './runtime-settings.ts';
import { orderUpdates } from './update-order.ts';
import type { UpdateRunner } from './update-runner.ts';
import type { Result, UpdaterEnv } from './updater-env.ts';
import type { WarmUp } from './warm-up.ts';

/** The periodic mode: updates every watched Application once, and waits for all of them. */
export async function runCycle(
  env: UpdaterEnv,
  settings: RuntimeSettings,
  runner: UpdateRunner,
  warmUp: WarmUp,
): Promise<readonly Result[]> {
  const { clock } = env;
  const started = clock.now();
  const { watched, broken } = await runner.list();
  await warmUp.run(watched);
  const { scheduled, deferred } = orderUpdates(watched, runner.history, { ...settings, now: started });
  runner.recordDeferred(deferred, scheduled);
  const results = await runner.updateAll(scheduled, clock.now(), 'join');
  await runner.endRound({ results, watched, broken }, started);
  runner.metrics.cycleDuration.observe({}, (clock.now() - started) / 1000);
  return results;
}
