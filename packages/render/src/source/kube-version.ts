import { RenderError } from '../render-error.ts';

/** A version of Kubernetes without a provider's suffix, as Argo CD passes it to templates: `v1.30.2-gke.1` → `1.30.2`. */
export function genericVersion(version: string | undefined): string | undefined {
  if (!version) return undefined;
  const numbers = /^\s*v?(\d+(?:\.\d+)+)/u.exec(version)?.[1];
  if (numbers === undefined)
    throw new RenderError(
      'InvalidOption',
      `${JSON.stringify(version)} is not a Kubernetes version. Use a version such as 1.30.`,
    );
  return numbers;
}
