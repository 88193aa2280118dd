import type { Application } from '@fairlead/api';
import { applicationKind } from '@fairlead/api';
import { find, type ObjectKey } from '@fairlead/apimachinery';
import type { RunningController } from './controller.ts';
import type { Target } from './target.ts';

export interface Watched {
  readonly target: Target;
  readonly controller: RunningController;
  readonly key: ObjectKey;
}

/** No wait is longer than this. */
const limitMs = 300_000;
const restMs = 2_500;
/** Retries and polls of a running operation are more frequent than this. */
const standstillMs = 10_000;
/** A busy machine takes this long for the first comparison. Some Applications are never compared. */
const comparisonMs = 30_000;

export const readApplication = ({ target, key }: Watched): Promise<Application | undefined> =>
  find(target.reader.get<Application>(applicationKind.type, key));

/** Waits until a new Application has been compared, and nothing changes any more. */
export async function untilCompared(watched: Watched): Promise<void> {
  await until(watched, async () => (await readApplication(watched))?.status?.sync !== undefined, comparisonMs);
  await untilAtRest(watched);
}

/** Waits until the operation has ended, or, if it is expected to keep running, until it blocks. */
export async function untilOperationEnds(watched: Watched, running: boolean): Promise<void> {
  if (running) return untilAtRest(watched, standstillMs);
  await until(watched, async () => !(await isOperating(watched)));
}

/** Whether an operation is requested or running. */
export async function isOperating(watched: Watched): Promise<boolean> {
  const { operation, status } = (await readApplication(watched)) ?? {};
  const phase = status?.operationState?.phase;
  return operation !== undefined || phase === 'Running' || phase === 'Terminating';
}

/** Waits until the Application is deleted, or its deletion blocks. */
export async function untilDeleted(watched: Watched, staying: boolean): Promise<void> {
  if (staying) return untilAtRest(watched, standstillMs);
  let seen = '';
  let since = watched.target.clock.now();
  await until(watched, async () => {
    const application = await readApplication(watched);
    const now = JSON.stringify(application ?? null);
    if (now !== seen) since = watched.target.clock.now();
    seen = now;
    return !application || watched.target.clock.now() - since > 3 * standstillMs;
  });
}

/** Requests a refresh, and waits until it is done and nothing changes any more. */
export async function refresh(watched: Watched, type: 'normal' | 'hard' = 'normal'): Promise<void> {
  const { target, key } = watched;
  const annotation = 'argocd.argoproj.io/refresh';
  const body = { metadata: { annotations: { [annotation]: type } } };
  const asked = await find(target.client.patch(applicationKind.type, key, 'merge', body, { fieldManager: 'rec' }));
  if (!asked) return;
  await until(watched, async () => {
    const application = await readApplication(watched);
    return application?.metadata.annotations?.[annotation] === undefined;
  });
  await untilAtRest(watched);
}

/** Waits until the Application has not changed for a while, and the controller is idle. */
export async function untilAtRest(watched: Watched, forMs = restMs): Promise<void> {
  let seen = await fingerprint(watched);
  await until(watched, async () => {
    await watched.target.pass(forMs);
    const now = await fingerprint(watched);
    const rests = now === seen;
    seen = now;
    return rests;
  });
}

const fingerprint = async (watched: Watched): Promise<string> => {
  const { metadata, status, operation } = (await readApplication(watched)) ?? {};
  const { reconciledAt: _, ...rest } = status ?? {};
  return JSON.stringify([metadata?.uid, metadata?.deletionTimestamp, metadata?.finalizers, rest, operation]);
};

async function until({ target }: Watched, holds: () => Promise<boolean>, withinMs = limitMs): Promise<void> {
  const end = target.clock.now() + withinMs;
  while (!(await holds())) {
    if (target.clock.now() > end) return;
    await target.pass(100);
  }
}
