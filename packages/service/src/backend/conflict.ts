import { isConflict } from '@fairlead/apimachinery';
import { type Outcome, requeueAfter } from '@fairlead/kube';

/** Long enough for the watch to bring what we have not seen, in most cases. */
const againMs = 50;

/**
 * A write that was refused because its object has changed is no failure: the next look decides on what is there then. It is not left to
 * the watch alone to cause that look, since the change may be one that it has already told of.
 */
export async function lookAgainOnConflict(look: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await look();
  } catch (error) {
    if (isConflict(error)) return requeueAfter(againMs);
    throw error;
  }
}
