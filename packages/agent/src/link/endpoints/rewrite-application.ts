import type { MirroredObject } from '../../core/kinds.ts';
import type { LinkContext } from '../link-options.ts';
import { done, isOutdated, later, type Outcome } from '../outcome.ts';

const tries = 4;

/** Changes an Application of this side if it is still the intended one; repeated if the object changes meanwhile. */
export async function rewriteApplication(
  { store }: LinkContext,
  name: string,
  isMeant: (application: MirroredObject) => boolean,
  change: (application: MirroredObject) => MirroredObject | undefined,
): Promise<Outcome> {
  for (
    let application = await store.present('Application', name), i = 0;
    i < tries;
    application = await store.read('Application', name), i++
  ) {
    if (!application || !isMeant(application) || !store.belongs('Application', application)) {
      if (i > 0) return done;
      continue;
    }
    const next = change(application);
    if (!next) return done;
    try {
      await store.replace('Application', next);
      return done;
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
  return later('the object changes too often');
}
