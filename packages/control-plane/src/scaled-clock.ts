import { type Clock, systemClock } from '@fairlead/kube';

/** A clock that runs `speed` times as fast from now on: a minute of the simulation in a second. */
export function scaledClock(speed: number, base: Clock = systemClock): Clock {
  if (speed === 1) return base;
  const began = base.now();
  return {
    now: () => began + (base.now() - began) * speed,
    after: (ms, run) => base.after(ms / speed, run),
  };
}
