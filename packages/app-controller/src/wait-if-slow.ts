import type { Clock } from '@fairlead/kube';

/** How a reconcile waits without holding its worker. */
export type WaitFor = <T>(promise: Promise<T>) => Promise<T>;

const shortMs = 50;

/** Waits for something that is usually short. If it takes long, the worker of the reconcile is released. */
export async function waitIfSlow<T>(clock: Clock, promise: Promise<T>, waitFor: WaitFor): Promise<T> {
  const isSlow = await new Promise<boolean>((resolve) => {
    const cancel = clock.after(shortMs, () => resolve(true));
    const settled = (): void => {
      cancel();
      resolve(false);
    };
    promise.then(settled, settled);
  });
  return isSlow ? waitFor(promise) : promise;
}
