import type { Application } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import { trackingName } from '@fairlead/engine';
import type { Random } from '@fairlead/kube';
import { keyOfApplication, type Settings } from '../reconcile-env.ts';
import type { RefreshState } from './refresh-state.ts';

/** The state of known Applications, and how they are found by the names in tracking ids. */
export class ApplicationStates {
  readonly #settings: Settings;
  readonly #random: Random;
  readonly #states = new Map<string, RefreshState>();
  readonly #byTrackingName = new Map<string, string>();
  /** The project of an Application when it was first observed. It must not change while its key waits, so it is not removed. */
  readonly #lanes = new Map<string, string>();

  constructor(settings: Settings, random: Random) {
    this.#settings = settings;
    this.#random = random;
  }

  remember(application: Application): void {
    const key = keyOf(application);
    this.#states.set(key, { jitterMs: Math.floor(this.#random() * this.#settings.refreshJitterMs) });
    this.#byTrackingName.set(this.#trackingName(application), key);
    if (!this.#lanes.has(key)) this.#lanes.set(key, projectNameOf(application));
  }

  forget(application: Application): void {
    this.#states.delete(keyOf(application));
    this.#byTrackingName.delete(this.#trackingName(application));
  }

  get(key: string): RefreshState | undefined {
    return this.#states.get(key);
  }

  /** The key of the Application that a tracking id names. */
  keyOfTracked(app: string): string | undefined {
    return this.#byTrackingName.get(app);
  }

  /** Applications of one project wait in one lane. */
  laneOf(key: string): string {
    return this.#lanes.get(key) ?? '';
  }

  #trackingName(application: Application): string {
    return trackingName(keyOfApplication(application), this.#settings.namespace);
  }
}

export const projectNameOf = ({ spec }: Application): string => spec.project || 'default';
