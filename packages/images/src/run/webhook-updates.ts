import { concerns } from '../webhook/dispatch.ts';
import type { ImageEvent } from '../webhook/event.ts';
import type { UpdateRunner } from './update-runner.ts';
import type { Result, UpdaterEnv } from './updater-env.ts';

/** After a push to a registry: updates the Applications that use the image, with new responses of the registry. */
export async function updateForEvents(
  env: UpdaterEnv,
  runner: UpdateRunner,
  events: readonly ImageEvent[],
): Promise<readonly Result[]> {
  for (const event of events) env.invalidate(event);
  const notBefore = env.clock.now();
  const { watched, broken } = await runner.list();
  const affected = watched.filter(({ plan }) =>
    plan?.rules.some(({ image }) => events.some((event) => concerns(event, image))),
  );
  const results = await runner.updateAll(affected, notBefore, 'repeat');
  await runner.endRound({ results, watched, broken }, notBefore);
  return results;
}
