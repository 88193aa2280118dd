import { elementAt } from '@fairlead/apimachinery';
import type { Node } from '../objects.ts';

const aliases = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;
const ttlAnnotation = 'node.alpha.kubernetes.io/ttl';

/** Labels with an older name too; only missing or different ones. */
export function missingAliases({ metadata }: Node): Record<string, string> {
  const labels = metadata.labels ?? {};
  return Object.fromEntries(
    aliases.flatMap(([name, alias]) =>
      labels[name] !== undefined && labels[alias] !== labels[name] ? [[alias, labels[name]]] : [],
    ),
  );
}

/** In larger clusters kubelets check Secrets less often. The steps have hysteresis. */
const steps = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1_000, seconds: 30 },
  { from: 900, to: 2_000, seconds: 60 },
  { from: 1_800, to: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

export class ClusterSize {
  #count = 0;
  #step = 0;

  added(): void {
    this.#count += 1;
    if (this.#count > elementAt(steps, this.#step).to) this.#step += 1;
  }

  removed(): void {
    this.#count -= 1;
    if (this.#count < elementAt(steps, this.#step).from) this.#step -= 1;
  }

  get secondsToLive(): number {
    return elementAt(steps, this.#step).seconds;
  }
}

export const missingTtl = ({ metadata }: Node, size: ClusterSize): Record<string, string> => {
  const desired = String(size.secondsToLive);
  return metadata.annotations?.[ttlAnnotation] === desired ? {} : { [ttlAnnotation]: desired };
};
