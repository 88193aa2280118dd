import type { Clock } from '@fairlead/kube';
import type { NodeImage } from './image-reference.ts';
import type { PullProblem, Registries } from './registry-model.ts';

export interface KeptImage {
  readonly name: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly programs?: readonly string[];
  lastUsed: number;
}

export type PullResult =
  | { readonly image: KeptImage; readonly tookMs: number; readonly waitedMs: number; readonly pulled: boolean }
  | PullProblem;

/** The slow-down of registry or fault, whichever is larger; 1 without a problem. */
export type Slowness = () => number;

/**
 * The images of one node. Concurrent pulls of one image are one pull; at most `parallel` pulls run at a time, the others wait in
 * the order in which they came.
 */
export class ImageStore {
  readonly #images = new Map<string, KeptImage>();
  readonly #pulling = new Map<string, Promise<PullResult>>();
  readonly #waiting: (() => void)[] = [];
  readonly #registries: Registries;
  readonly #clock: Clock;
  readonly #parallel: number;
  readonly #slowness: Slowness;
  #running = 0;
  /** Called when the images on the node have changed. */
  onChange: () => void = () => {};

  constructor(registries: Registries, clock: Clock, options: { parallel?: number; slowness?: Slowness } = {}) {
    this.#registries = registries;
    this.#clock = clock;
    this.#parallel = options.parallel ?? 3;
    this.#slowness = options.slowness ?? (() => 1);
  }

  has(image: NodeImage): KeptImage | undefined {
    const kept = this.#images.get(image.full);
    if (kept) kept.lastUsed = this.#clock.now();
    return kept;
  }

  get pullsInFlight(): number {
    return this.#running;
  }

  /** As in `node.status.images`: the largest first, fifty at most. */
  list(): { names: string[]; sizeBytes: number }[] {
    return [...this.#images.values()]
      .sort((a, b) => b.sizeBytes - a.sizeBytes)
      .slice(0, 50)
      .map(({ name, digest, sizeBytes }) => ({
        names: [`${name.replace(/(@.*|:[^/]*)$/, '')}@${digest}`, name],
        sizeBytes,
      }));
  }

  /** The images on the disk of a restarted kubelet. */
  restore(images: readonly KeptImage[]): void {
    for (const image of images) this.#images.set(image.name, image);
  }

  remove(name: string): void {
    if (this.#images.delete(name)) this.onChange();
  }

  pull(image: NodeImage, secrets: readonly string[]): Promise<PullResult> {
    const key = `${image.full} ${[...secrets].sort().join(' ')}`;
    const running = this.#pulling.get(key);
    if (running) return running;
    const pull = this.#pull(image, secrets).finally(() => this.#pulling.delete(key));
    this.#pulling.set(key, pull);
    return pull;
  }

  async #pull(image: NodeImage, secrets: readonly string[]): Promise<PullResult> {
    const asked = this.#clock.now();
    if (this.#running >= this.#parallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    const began = this.#clock.now();
    try {
      const cost = this.#registries.cost(image);
      await this.#wait(cost.latencyMs * this.#slowness());
      const found = await this.#registries.find(image, secrets);
      if ('problem' in found) return found;
      const kept = this.#images.get(image.full);
      if (kept?.digest === found.digest) return this.#done(kept, asked, began, false);
      await this.#wait((found.sizeBytes / cost.bytesPerSecond) * 1000 * this.#slowness());
      const pulled: KeptImage = {
        name: image.full,
        digest: found.digest,
        sizeBytes: found.sizeBytes,
        ...(found.programs ? { programs: found.programs } : {}),
        lastUsed: this.#clock.now(),
      };
      this.#images.set(image.full, pulled);
      this.onChange();
      return this.#done(pulled, asked, began, true);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #done(image: KeptImage, asked: number, began: number, pulled: boolean): PullResult {
    const now = this.#clock.now();
    return { image, tookMs: now - began, waitedMs: now - asked, pulled };
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve));
  }
}
